"""Builds the programs of test/programs/libraries, with the library under test instrumented as well.

Sources come from Debian (tools/dev/fetch-source; header-only packages as the binary package unpacked) into a
folder outside the tree and are used again."""
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def fetch(truth, sources):
    """The unpacked source of a library; None for one that is installed. Raises when it cannot be had."""
    if truth.package in (None, "-"):
        return None
    folder = sources / truth.package
    if folder.exists() and any(folder.iterdir()):
        return folder
    sources.mkdir(parents=True, exist_ok=True)
    if not truth.deb:
        subprocess.run([ROOT / "tools/dev/fetch-source", truth.package, folder], check=True,
                       stdout=subprocess.DEVNULL)
        return folder
    subprocess.run(["apt-get", "-q", "download", truth.package], cwd=sources, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    for package in sources.glob(truth.package + "_*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        package.unlink()
    return folder


def build(truth, perfidy, sources, folder, flags=()):
    """Compiles one program into folder/NAME and returns it."""
    library = fetch(truth, sources)
    out = folder / truth.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    include = []
    if truth.include:
        include.append("-I%s" % (library / truth.include if library else truth.include))
    if library:
        include += ["-I%s" % library, "-I%s" % (library / "src")]
    objects = []
    for pattern in truth.sources:
        for source in sorted(library.glob(pattern)):
            objects.append(folder / (source.stem + ".o"))
            compiler = "perfidy-clang" if source.suffix == ".c" else "perfidy-clang++"
            # Not strict about other people's warnings.
            subprocess.run([perfidy / "bin" / compiler, "-O2", "-g", "-w", "-fsanitize=fuzzer-no-link", *include, "-c",
                            source, "-o", objects[-1]], check=True)
    subprocess.run([perfidy / "bin/perfidy-clang++", "-O2", "-g", "-w", "-fsanitize=fuzzer", *flags, *include,
                    truth.program, *objects, "-lm", "-o", out], check=True)
    return out
