"""Rules and kernels: the only module that knows Numba.

A *rule* stays a plain Python function on whole numbers. Odds, tests and
``play`` call it as it stands, and Numba is not even imported. A *kernel* is a
loop over tables or patrons; it is compiled together with the rules it calls.

Two traps of Numba's own cache are dealt with here. A cached kernel does not
notice that a function it calls in another module has changed, so the cache
folder's name holds a digest of every source a kernel can reach. And caching
raises at import where nothing is writable, so the folder falls back to the
temporary folder and then to no cache at all.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, overload

PACKAGE = Path(__file__).parent
# The rooms whose functions can end up inside a kernel.
KERNEL_SOURCES = (
    "compiled.py",
    "coins.py",
    "chance.py",
    "checks.py",
    "games",
    "patrons",
    "society",
    "tables",
    "town",
)
FOLDERS_KEPT = 4
# A rule allocates nothing (scratch is passed in), so no reference counting.
RULE_OPTIONS = {"forceinline": True, "_nrt": False, "error_model": "numpy"}

# A user's function may.
FOREIGN_OPTIONS = {"forceinline": True}

_twins: dict[Callable[..., Any], Callable[..., Any]] = {}
_admitted: set[Callable[..., Any]] = set()

_asked: list[Callable[..., Any]] = []
_BRIDGED = {int: "int64", float: "float64", bool: "boolean"}


def rule[F: Callable[..., Any]](function: F, *, twin: Callable[..., Any] | None = None) -> F:
    """Mark a scalar function that kernels may call; it is returned unchanged.

    Parameters
    ----------
    function : callable
        A plain function: no keyword-only parameters, no allocation, ``math``
        and never ``np`` functions (their last bits differ from compiled code).
    twin : callable, optional
        What kernels compile in its place. It must return the same values.
    """
    _twins.setdefault(function, twin or function)
    return function


@overload
def kernel[F: Callable[..., Any]](function: F) -> F: ...


@overload
def kernel[F: Callable[..., Any]](
    *, defaults: Mapping[str, Callable[..., Any]]
) -> Callable[[F], F]: ...


def kernel(function: Any = None, *, defaults: Mapping[str, Any] | None = None) -> Any:
    """Compile a loop over tables or patrons, with every rule it calls.

    The functions it closes over (a user's decisions among them) become rules.
    One that Numba cannot compile is asked in plain Python instead, about 2 us
    a call; so the caller never has to know. (What is compiled keeps the value
    that a global variable had at the time.) A kernel is kept on disk only if
    every function it closes over is ours: nothing would tell the cache that a
    function of the user's has changed.

    With ``NUMBA_DISABLE_JIT=1`` the function itself comes back.

    Parameters
    ----------
    function : callable
        The loop. Its plain version stays at hand as ``py_func``.
    defaults : mapping of name to function, optional
        What stands where a user may put a function of his own, by the names
        the loop closes over them. The return annotation, ``int``, ``float`` or
        ``bool``, says what a function asked in plain Python has to give back.

    Raises
    ------
    TypeError
        At the first call, if a function can neither be compiled nor be asked
        in plain Python because nothing says what it returns.

    Examples
    --------
    A factory for a kernel with the decisions of a user::

        def make_play_tables(policy: Policy):
            bets, tries_to_cheat = policy

            @kernel(defaults=Policy._field_defaults)
            def play_tables(first, last, ...): ...
    """
    if function is None:
        return functools.partial(kernel, defaults=defaults)
    import numba

    if numba.config.DISABLE_JIT:
        return function
    closed_over = _closed_over(function)
    for name, each in closed_over.items():
        if _is_ours(each):
            rule(each)
        else:
            _admit(each, (defaults or {}).get(name))
    _admit_rules()
    on_disk = all(map(_is_ours, closed_over.values()))
    folder = cache_folder() if on_disk else None
    with _numba_cache(folder):
        options = {"nogil": True, "_nrt": False, "error_model": "numpy"}
        return _Kernel(numba.njit(cache=folder is not None, **options)(function))


class _Kernel:
    """A compiled loop that looks at the types of its arguments at its first call alone.

    Numba's dispatcher looks at them at every call, which for the fifty arrays
    of an evening takes 13 us, as long as a small house plays a sitting. A
    kernel's arguments are the columns of one kind of model, whose types never
    change; calls after the first go straight to the machine code (0.8 us).
    """

    def __init__(self, dispatcher: Any) -> None:
        functools.update_wrapper(self, dispatcher.py_func)
        self.py_func = dispatcher.py_func
        self.dispatcher = dispatcher
        self._entry: Any = None

    def __call__(self, *args: Any) -> Any:
        if self._entry is not None:
            return self._entry(*args)
        result = self.dispatcher(*args)
        (self._entry,) = (each.entry_point for each in self.dispatcher.overloads.values())
        return result


def _admit_rules() -> None:
    """Let Numba compile every rule noted so far into the kernels that call it."""
    from numba.extending import overload as admit

    for each in _twins.keys() - _admitted:
        admit(each, strict=False, jit_options=RULE_OPTIONS)(_returning(_twins[each]))
        _admitted.add(each)


def _returning(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: function


def _admit(foreign: Callable[..., Any], default: Callable[..., Any] | None) -> None:
    """Let kernels call a user's function: compiled if it can be, else over a bridge.

    Numba asks for the implementation once it knows the types of the arguments,
    so whether the function compiles is tried out for just those.
    """
    from numba.extending import overload as admit

    if foreign in _admitted:
        return

    @admit(foreign, strict=False, jit_options=FOREIGN_OPTIONS)
    def implementation(*types: Any) -> Callable[..., Any]:
        if _compiles(foreign, types):
            return foreign
        return _bridge(foreign, _returned_type(foreign, default))

    _admitted.add(foreign)


def _compiles(function: Callable[..., Any], types: tuple[Any, ...]) -> bool:
    """Try it. Numba's own errors are not the only ones a strange function raises."""
    import numba

    try:
        numba.njit(**FOREIGN_OPTIONS)(function).get_call_template(types, {})
    except Exception:
        return False
    return True


def _returned_type(function: Callable[..., Any], default: Callable[..., Any] | None) -> type:
    for each in (default, function):
        annotation = getattr(each, "__annotations__", {}).get("return")
        for known in _BRIDGED:
            if annotation in (known, known.__name__):
                return known
    raise TypeError(
        f"Numba cannot compile {function!r}, and nothing says what it returns;"
        " annotate it with -> int, -> float or -> bool"
    )


def _bridge(function: Callable[..., Any], returned: type) -> Callable[..., Any]:
    """A compilable function that asks `function` in plain Python.

    Numba pickles what an ``objmode`` block refers to and unpacks it at every
    call. So the block names `_ask` alone, which pickles as its name, and the
    user's function with all that hangs on it stays out.
    """
    from numba import objmode, types

    place = len(_asked)
    _asked.append(function)
    answer_type = getattr(types, _BRIDGED[returned])

    def bridge(*args):  # type: ignore[no-untyped-def]
        asked = place
        with objmode(answer=answer_type):
            answer = _ask(asked, args)
        return answer

    return bridge


def _ask(place: int, args: tuple[Any, ...]) -> Any:
    return _asked[place](*args)


@contextlib.contextmanager
def _numba_cache(folder: Path | None) -> Iterator[None]:
    """Point Numba's cache at `folder` for our own decoration only."""
    import numba

    saved, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = saved


def _closed_over(function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The functions a kernel closes over by name; what is compiled already is left alone."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found = {name: cell.cell_contents for name, cell in cells}
    return {
        name: each
        for name, each in found.items()
        if callable(each) and not isinstance(each, type) and not hasattr(each, "py_func")
    }


def _is_ours(function: Callable[..., Any]) -> bool:
    return (getattr(function, "__module__", None) or "").split(".")[0] == __package__


@functools.cache
def source_digest() -> str:
    """A digest of every source file that a kernel can reach: the cache's name."""
    digest = hashlib.sha256(sys.version.encode())
    for name in KERNEL_SOURCES:
        root = PACKAGE / name
        for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(path.relative_to(PACKAGE).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled kernels; None where nothing can be written."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for root in (Path(home), Path(tempfile.gettempdir(), f"tavern-{os.getuid()}")):
        folder = root / "tavern_abm" / source_digest()
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)
            _forget_old(folder.parent)
            return folder
    return None


def _forget_old(root: Path) -> None:
    """Keep the newest few cache folders; another process may be at it too."""
    with contextlib.suppress(OSError):
        folders = sorted(root.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
        for each in folders[FOLDERS_KEPT:]:
            shutil.rmtree(each, ignore_errors=True)
