"""Changes each byte of a bundle, one by one, and says which of the results the verifier takes for whole."""

import importlib.util
import sys

spec = importlib.util.spec_from_file_location("verifier", sys.argv[1])
verifier = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verifier)


def holds(raw):
    try:
        verifier.verify(raw)
        return True
    except verifier.Refused:
        return False


tried = 0
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        whole = file.read()
    if not holds(whole):
        sys.exit(f"{path} does not hold as it is")
    for at, byte in enumerate(whole):
        others = {byte ^ 0x01, byte ^ 0x20, byte ^ 0x80, 0x20} - {byte}
        changed = [whole[:at] + bytes([other]) + whole[at + 1 :] for other in others]
        # One byte less, unless it is the end of the line, and one more.
        changed += [whole[:at] + whole[at + 1 :]] if at + 1 < len(whole) else []
        changed += [whole[:at] + b" " + whole[at:]]
        for one in changed:
            tried += 1
            if holds(one):
                sys.exit(f"{path} is taken for whole with byte {at} changed: {one[max(0, at - 20) : at + 20]!r}")
print(tried)
