"""A graph of aten operators as parts are found in it (partition.py)."""
import itertools

from . import aten

SPLITS = {"split", "split_with_sizes", "chunk", "unsafe_split", "unsafe_split_with_sizes"}


def prepared(graph):
    """As parts are found in it."""
    for node in [each for each in graph.nodes if aten.says_nothing(each) and not each.users]:
        graph.erase_node(node)
    _slices_for_splits(graph)


def _slices_for_splits(graph):
    """Each result of a split becomes a view of its own, so that it can belong to what takes it."""
    import torch
    for node in [each for each in graph.nodes if aten.name_of(each.target) in {"unbind", *SPLITS}]:
        pieces, is_split = node.meta.get("val"), aten.name_of(node.target) in SPLITS
        at = 2 if is_split else 1
        dim = node.kwargs.get("dim", node.args[at] if len(node.args) > at else 0)
        if not isinstance(pieces, (list, tuple)) or any(aten.name_of(user.target) != "getitem" for user in node.users):
            continue
        ends = [0, *itertools.accumulate(each.shape[dim] for each in pieces)] if is_split else None
        for user in list(node.users):
            place = user.args[1]
            with graph.inserting_before(user):
                view = graph.call_function(torch.ops.aten.slice.Tensor, (node.args[0], dim, ends[place], ends[place + 1])) if is_split else (
                    graph.call_function(torch.ops.aten.select.int, (node.args[0], dim, place)))
            view.meta = dict(user.meta)
            user.replace_all_uses_with(view)
            graph.erase_node(user)
        graph.erase_node(node)
