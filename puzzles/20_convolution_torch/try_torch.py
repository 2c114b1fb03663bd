"""PyTorch's own checks of workbook::convolution, and a model that learns a filter: workbook op 20 try_torch.py

Needs PyTorch. On a machine with a GPU everything runs there, else on the simulator.
"""

import warnings

import torch
from convolution import convolution

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
x = torch.randn(3, 150, device=device, requires_grad=True)
taps = torch.randn(5, device=device, requires_grad=True)

# Schema, fake tensors, autograd and compilation, each tested against the others.
print("opcheck:", torch.library.opcheck(convolution, (x, taps)))

# The gradients against PyTorch's: its conv1d, padded at the end.
padded = torch.nn.functional.pad(x, (0, len(taps) - 1))
expected = torch.nn.functional.conv1d(padded[:, None], taps[None, None])[:, 0]
upstream = torch.randn_like(x)
for name, ours, theirs in zip(("x", "filter"), torch.autograd.grad(convolution(x, taps), (x, taps), upstream),
                              torch.autograd.grad(expected, (x, taps), upstream)):
    print(f"gradient of {name}: largest difference {(ours - theirs).abs().max().item():.0e}")

# And against differences of the forward pass. It is linear in each argument, so steps may be large: large enough for
# float32, of which gradcheck warns.
warnings.filterwarnings("ignore", message=".*double precision")
small = torch.randn(2, 9, device=device, requires_grad=True)
print("gradcheck:", torch.autograd.gradcheck(convolution, (small, taps), eps=0.25, atol=1e-3, rtol=1e-3))

# Compiled in one graph: nothing in it that the compiler cannot see through.
learned = torch.zeros(5, device=device, requires_grad=True)


def loss():
    return (convolution(x.detach(), learned) - expected.detach()).square().mean()


step = torch.compile(loss, fullgraph=True, backend="inductor" if device == "cuda" else "aot_eager")
optimizer = torch.optim.SGD([learned], lr=0.3)
for _ in range(30):
    optimizer.zero_grad()
    step().backward()
    optimizer.step()
print("learned:", [round(value, 2) for value in learned.tolist()])
print("  filter:", [round(value, 2) for value in taps.tolist()])
