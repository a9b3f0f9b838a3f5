#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The ropewalk authors
# SPDX-License-Identifier: Apache-2.0
"""Which symbols the libraries of a directory define for others.

symbols.py static DIRECTORY            of the archives, and of what contains them
symbols.py shared DIRECTORY PATH...    of the shared libraries, against what the
                                       headers, or those of a folder, declare
                                       and annotate
"""
import pathlib
import re
import subprocess
import sys

# Templates and inline functions of what is included, which many libraries may
# define, and what GCC and Clang add for exceptions.
WEAK = re.compile(r".*\b(ropewalk|ropewalk_nlohmann|std|hwy|tbb)::"
                  r"|DW\.ref\.|__clang_call_terminate$")
STRONG = re.compile(r"((vtable|typeinfo|typeinfo name|VTT|guard variable) for )?ropewalk(::|_)")


def symbols(library, *options):
    """Pairs of nm's type and the demangled name."""
    text = subprocess.run(["nm", "-C", "-g", "--defined-only", *options, library],
                          capture_output=True, text=True, check=True).stdout
    lines = (re.fullmatch(r"[0-9a-f]+ (\w) (.+)", line) for line in text.splitlines())
    return [line.groups() for line in lines if line]


def is_strong(kind):
    return kind not in "WwVvu"


def statements(header):
    """(scope, access, text) of all that ends in a semicolon outside functions.

    The scope is the names of namespaces and classes around it.
    """
    text = re.sub(r"//[^\n]*|/\*.*?\*/|^#(\\\n|[^\n])*|(?<=\w)\{\}", "", header.read_text(),
                  flags=re.S | re.M)
    opener = re.compile(r"(?:namespace|class|struct)\s+(?:\[\[\w+\]\]\s*)?([\w:]*)[^()=]*$")
    scopes, before = [["", "public"]], ""
    for piece in re.split(r"([;{}]|\b(?:public|private):)", text):
        if piece == "{":
            match = opener.search(before)
            transparent = '"C"' in before
            name = match[1] if match else ("" if transparent else None)
            scopes.append([name, "private" if "class" in before else "public"])
        elif piece == "}":
            scopes.pop()
        elif piece in ("public:", "private:"):
            scopes[-1][1] = piece[:-1]
        elif piece != ";":
            before = piece
            continue
        elif all(name is not None for name, _ in scopes):
            yield [name for name, _ in scopes if name], scopes[-1][1], before.strip()
        before = ""


def functions(header):
    """(qualified name, annotated) of what a header declares for users."""
    for scope, access, text in statements(header):
        annotated = "ROPEWALK_EXPORT" in text
        match = re.search(r"(operator=|~?\b\w+)\s*\(", text)
        if not match or re.match(r"typedef|friend|using|static_assert", text):
            continue
        declares = (access == "public" and re.search(r"\)\s*(const\s*)?(noexcept\s*)?$", text)
                    and "=" not in text[:match.start()]
                    and "(*" not in text and "internal" not in "".join(scope))
        if annotated or declares:
            yield "::".join(scope + [match[1]]), annotated


def visible(archive):
    """Global symbols that a shared library made of the archive would export."""
    text = subprocess.run(["readelf", "-sW", archive],
                          capture_output=True, text=True, check=True).stdout
    return re.findall(r"\bGLOBAL\s+(?!HIDDEN)\w+\s+\d+\s+(\S+)", text)


def runs_at_start(archive):
    """Members with code that runs before main(), where no target is chosen yet."""
    text = subprocess.run(["readelf", "-SW", archive],
                          capture_output=True, text=True, check=True).stdout
    members = re.split(r"^File: ", text, flags=re.M)
    return [member.split("\n")[0] for member in members if ".init_array" in member]


def check_static(directory):
    archives = sorted(directory.glob("libropewalk*.a"))
    faults = [] if archives else ["no archives"]
    for archive in archives:
        found = symbols(archive)
        if not any(is_strong(kind) for kind, _ in found):
            faults.append(f"{archive.name} defines nothing")
        for kind, name in found:
            if not (STRONG if is_strong(kind) else WEAK).match(name):
                faults.append(f"{archive.name}: {kind} {name}")
        faults += [f"{archive.name} would be exported: {name}" for name in visible(archive)]
        faults += [f"runs before main: {name}" for name in runs_at_start(archive)]
    return faults


def check_shared(directory, headers):
    declared = dict(pair for header in headers for pair in functions(header))
    faults = [f"not annotated: {name}" for name, annotated in declared.items() if not annotated]
    exported = set()
    for library in sorted(directory.glob("libropewalk*.so")):
        for kind, name in symbols(library, "-D"):
            plain = re.sub(r"\(.*|\[abi:\w+\]", "", name)
            exported.add(plain)
            ours = is_strong(kind) or STRONG.match(name)
            if plain not in declared and (ours or not WEAK.match(name)):
                faults.append(f"{library.name} exports {kind} {name}")
    return faults + [f"not exported: {name}" for name in sorted(declared.keys() - exported)]


def main():
    directory = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "static":
        faults = check_static(directory)
    else:
        paths = [pathlib.Path(name) for name in sys.argv[3:]]
        faults = check_shared(directory, [header for path in paths for header in
                                          (path.rglob("*.h") if path.is_dir() else [path])])
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
