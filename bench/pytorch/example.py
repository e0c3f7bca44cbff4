"""A model of one's own for `cupel run pytorch --model bench/pytorch/example.py:make`.

The function returns the model, its optimizer, the loss as a function of output and target, and a batch: (input, ..., target), or a
loader that gives such. It is called anew for each rung, after torch.manual_seed, so that each begins with the same numbers.
"""

import torch


def make():
    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(32, 64, 3, padding=1), torch.nn.ReLU(), torch.nn.Dropout2d(0.1), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(64 * 8 * 8, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    images = torch.utils.data.TensorDataset(torch.randn(256, 3, 32, 32), torch.randint(0, 10, (256,)))
    return model, optimizer, torch.nn.functional.cross_entropy, torch.utils.data.DataLoader(images, batch_size=64)
