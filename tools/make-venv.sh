#!/bin/sh
# usage: make-venv.sh DIR
#
# Make a virtual environment in DIR from a Python 3.12 or newer, unless DIR holds
# a working one already. Set PYTHON to choose the interpreter yourself.
set -u
venv=$1
oldest=3.12

# Run by an interpreter: prints its real path if it can make our environment.
# (A pyenv shim may be on PATH and still refuse to run; Debian splits off venv.)
probe='
import sys
if sys.version_info < (3, 12):
    sys.exit(1)
try:
    import ensurepip, venv
except ImportError:
    sys.exit(2)
print(sys.executable)
'

if "$venv/bin/python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
    exit 0
fi

candidates() {
    if [ -n "${PYTHON:-}" ]; then
        echo "$PYTHON"
        return
    fi
    for name in python3.12 python3.13 python3.14 python3 python; do
        command -v "$name"
    done
    for python in "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.1[2-9]*/bin/python; do
        echo "$python"
    done
}

fail() {
    echo "make-venv: $*" >&2
    exit 1
}

without_venv=
IFS='
'
for python in $(candidates); do
    found=$("$python" -c "$probe" 2>/dev/null)
    case $? in
    0)
        echo "making $venv with $found" >&2
        "$found" -m venv --clear "$venv" || fail "$found could not make $venv"
        exit 0
        ;;
    2) without_venv=$python ;;
    esac
done

if [ -n "$without_venv" ]; then
    fail "$without_venv lacks the venv module; install it (on Debian and Ubuntu: python3-venv)"
elif [ -n "${PYTHON:-}" ]; then
    fail "PYTHON=$PYTHON does not run or is older than $oldest"
fi
fail "found no Python >= $oldest on PATH or in pyenv; install one, or name it: make PYTHON=..."
