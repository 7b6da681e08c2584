"""The product's source as the rules of the house read it: files, their imports, their functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "people", "questionbank", "interviews", "scoring")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """A Python file: its path from the root of the repository, its text and its tree."""

    path: str
    text: str
    tree: ast.Module

    @classmethod
    def of(cls, path: str, text: str) -> Source:
        return cls(path, text, ast.parse(text))

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    def imports(self) -> set[str]:
        """Every module imported, `from a import b` as both `a` and `a.b`. What only a type checker sees is left out."""
        found: set[str] = set()
        for node in self._nodes(self.tree):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        return found

    def _nodes(self, node: ast.AST) -> Iterator[ast.AST]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            yield child
            yield from self._nodes(child)

    def functions(self) -> Iterator[tuple[str, Function]]:
        """Every function with its qualified name, such as `Class.method`."""
        yield from self._functions(self.tree, "")

    def _functions(self, node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield f"{prefix}{child.name}", child
                yield from self._functions(child, f"{prefix}{child.name}.")
            elif isinstance(child, ast.ClassDef):
                yield from self._functions(child, f"{prefix}{child.name}.")
            else:
                yield from self._functions(child, prefix)

    def users_of(self, attribute: str) -> set[str]:
        """`path:function` of everything that says `.attribute`; `path:` alone for module level."""
        found = {
            f"{self.path}:{name}"
            for name, function in self.functions()
            if any(isinstance(node, ast.Attribute) and node.attr == attribute for node in ast.walk(function))
        }
        said = any(isinstance(node, ast.Attribute) and node.attr == attribute for node in ast.walk(self.tree))
        return found or ({f"{self.path}:"} if said else set())


def imports_any(source: Source, *modules: str) -> list[str]:
    """Which of the modules (or parts of them) the file imports."""
    return sorted(
        name for name in source.imports() if any(name == module or name.startswith(f"{module}.") for module in modules)
    )


def statements_in(function: Function) -> int:
    """How many statements a function has, its docstring left out, those of nested blocks counted."""
    count = sum(isinstance(node, ast.stmt) for node in ast.walk(function)) - 1
    return count - (ast.get_docstring(function) is not None)


def swallows_everything(source: Source) -> list[int]:
    """Lines where any exception at all is caught and nothing is done about it."""
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "BaseException"
            idle = all(isinstance(line, ast.Pass | ast.Continue) or _is_idle(line) for line in node.body)
            if idle and {"Exception", "BaseException"} & set(caught.strip("()").split(", ")):
                found.append(node.lineno)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            caught_too = {"Exception", "BaseException"} & {ast.unparse(argument) for argument in node.args}
            found += [node.lineno] if caught_too else []
    return found


def _is_idle(line: ast.stmt) -> bool:
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)


def decorators(function: Function) -> list[str]:
    return [ast.unparse(decorator) for decorator in function.decorator_list]


@cache
def sources() -> tuple[Source, ...]:
    """Every Python file of the product, migrations left out."""
    return tuple(_read(path) for app in APPS for path in sorted((ROOT / app).rglob("*.py")) if _counts(path))


@cache
def sources_of_tests() -> tuple[Source, ...]:
    return tuple(_read(path) for path in sorted((ROOT / "tests").rglob("*.py")))


def _counts(path: Path) -> bool:
    return "migrations" not in path.relative_to(ROOT).parts


def _read(path: Path) -> Source:
    return Source.of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))


def in_folder(folder: str) -> list[Source]:
    """The files of a folder such as `services`, in every app: a package or one module of that name."""
    return [source for source in sources() if f"/{folder}/" in source.path or source.path.endswith(f"/{folder}.py")]
