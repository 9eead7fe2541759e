"""`python -m reports.cli`: the command line without its script."""

from reports.cli import main

if __name__ == "__main__":
    main(prog_name="lemmalab")
