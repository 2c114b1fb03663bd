"""What makes expressions of PyTorch's operators, by their names; and why there is none for some."""

TABLE = {}  # "mm": a function of the operator's arguments, in its schema's order


def aten(*names):
    def add(function):
        for name in names:
            TABLE[name] = function
        return function
    return add


# Why PyTorch's own is what there is.
_ORDER = "is not known: which elements are largest is not computed here"
INSTEAD = {**dict.fromkeys(("topk", "sort", "argmax", "argmin", "argsort", "median", "kthvalue"), _ORDER),
           **dict.fromkeys(("cumsum", "cumprod", "cummax", "logcumsumexp"), "is not known: a sum of all before it is PyTorch's"),
           **dict.fromkeys(("scatter", "scatter_add", "index_put", "index_add", "index_copy"), "is not known: elements are not written to chosen places"),
           **dict.fromkeys(("convolution", "convolution_backward", "cudnn_convolution"), "is not known: convolutions of channels are PyTorch's"),
           **dict.fromkeys(("rand", "randn", "rand_like", "randn_like", "bernoulli", "native_dropout"), "is not known: of random numbers there are none"),
           "_native_batch_norm_legit_functional": "is not known: statistics that are kept from batch to batch are PyTorch's: model.eval() has none",
           "_transformer_encoder_layer_fwd": "is PyTorch's own layer in one; torch.backends.mha.set_fastpath_enabled(False) takes it apart",
           "_native_multi_head_attention": "is PyTorch's own layer in one; torch.backends.mha.set_fastpath_enabled(False) takes it apart"}
