"""`python -m montego` is the `montego` command."""

from montego.cli import main

if __name__ == "__main__":
    main()
