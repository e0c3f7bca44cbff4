#!/usr/bin/env python3
"""Makes C++ out of CUDA C++, for tests/emulator.

    rewrite.py IN.cu OUT

Four things are no C++, and are rewritten; line numbers stay. Anything else is left to tests/emulator/device_code.hpp.

    kernel<T><<<grid, block, shared, stream>>>(a, b)   a call of cupel::emulator::launch
    extern __shared__ T name[]                         a pointer to what the launch asked for
    asm volatile(...)                                  two instructions; others stand under #ifdef __CUDA_ARCH__
    reinterpret_cast<const void*>(kernel)              the handle of a kernel, for cudaLaunchKernel
"""

import pathlib
import re
import sys

OPEN = {")": "(", "]": "[", "}": "{", ">": "<"}
ASM = [
    (re.compile(r'asm volatile\("mov\.u64 %0, %%globaltimer;" : "=l"\((\w+)\)\);'),
     r"::cupel::emulator::read_global_timer(\1);"),
    (re.compile(r'asm volatile\("ld\.global\.cg\.v4\.u32 \{%0, %1, %2, %3\}, \[%4\];" : "=r"\((\w+)\), "=r"\((\w+)\), '
                r'"=r"\((\w+)\), "=r"\((\w+)\) : "l"\((\w+)\)\);'),
     r"\1 = \5->x, \2 = \5->y, \3 = \5->z, \4 = \5->w;"),
]
DYNAMIC = re.compile(r"extern __shared__ (\w+) (\w+)\[\];")
HANDLE = re.compile(r"reinterpret_cast<const void\*>\(")


def without_comments(text):
    """Of the same length: comments are blanks."""
    def blank(match):
        found = match.group(0)
        return found if found[0] in "\"'" else re.sub(r"[^\n]", " ", found)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', blank, text, flags=re.S)


def closing(text, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
            if depth == 0:
                return place
    raise ValueError("a bracket is not closed")


def start_of_kernel(text, end):
    """Where the kernel's name begins that ends at `end`, template arguments included."""
    place = end
    while text[place - 1].isspace():
        place -= 1
    if text[place - 1] == ">":
        depth = 0
        while True:
            place -= 1
            depth += (text[place] == ">") - (text[place] == "<")
            if depth == 0:
                break
    while re.match(r"[\w:]", text[place - 1]):
        place -= 1
    return place


def arguments(text):
    """Split at the commas that are in no bracket."""
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return parts + [part]


def with_launches(text):
    while (place := text.find("<<<")) >= 0:
        start = start_of_kernel(text, place)
        end = text.index(">>>", place)
        opening = text.index("(", end)
        last = closing(text, opening)
        how = arguments(text[place + 3:end])
        how += ["0", "nullptr"][len(how) - 2:]
        shared = how[2].strip()
        name = " ".join(text[start:place].split())
        given = text[opening + 1:last]
        lines = "\n" * text[start:opening].count("\n")
        how = ", ".join(" ".join(part.split()) for part in how)
        comma = ", " if given.strip() else ""
        call = f"[](const auto&... a) {{ {name}(a...); }}"
        handle = "nullptr" if shared == "0" else f"::cupel::emulator::handle_of({name})"
        replacement = f'::cupel::emulator::launch("{name}", {handle}, {call}, {how}{comma}{lines}{given})'
        text = text[:start] + replacement + text[last + 1:]
    return text


def rewritten(text, path):
    text = without_comments(text)
    for pattern, replacement in ASM:
        text = pattern.sub(replacement, text)
    text = DYNAMIC.sub(r"\1* const \2 = static_cast<\1*>(::cupel::emulator::dynamic_shared_memory());", text)
    text = HANDLE.sub("::cupel::emulator::handle_of(", text)
    return f'#line 1 "{path}"\n' + with_launches(text)


def main():
    source, out = sys.argv[1:]
    try:
        text = rewritten(pathlib.Path(source).read_text(encoding="utf-8"), source)
    except ValueError as error:
        sys.exit(f"{source}: {error}")
    pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
