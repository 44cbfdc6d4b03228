"""The same program with Numba and without it."""

from __future__ import annotations

import os
import subprocess
import sys


def with_and_without_numba(program: str) -> list[str]:
    """What a program prints, in processes of its own: compiled, and as plain Python."""
    return [
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=600,
        ).stdout.strip()
        for environment in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
