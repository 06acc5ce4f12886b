"""Runs the code cells of a notebook, one after the other, as Jupyter would; prints what they print."""
import json
import sys

with open(sys.argv[1], encoding="utf8") as file:
    cells = json.load(file)["cells"]
names = {}
for cell in cells:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), sys.argv[1], "exec"), names)
