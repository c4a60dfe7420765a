"""`python -m taisai` is the command `taisai`."""

import sys

from taisai.cli import main

if __name__ == "__main__":
    sys.exit(main())
