"""Times of calls without the host's: as many as are wanted, captured in a CUDA graph."""
import torch


def graph_of(function, sets, calls, pool=None):
    """`calls` calls of `function`, which take turns with the sets of arguments, as one graph. The results are kept until the
    end: freed at once, the next call would write to the same, cached memory."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for i in range(3):
            function(*sets[i % len(sets)])
    torch.cuda.current_stream().wait_stream(stream)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        results = [function(*sets[i % len(sets)]) for i in range(calls)]
        del results
    return graph


def time_us(enqueue):
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    enqueue()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) * 1000.0
