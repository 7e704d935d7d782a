"""The derived roads in the seed's own words, a second time: two cells of an infinitely deep big road are compared.

Written apart from the package. The sheet is a list of columns, each as deep as its streak; nothing is drawn or turned.
"""


def second_derived(sequence: str, distance: int) -> list[str]:
    """Colours that a road `distance` columns back gets from a sequence of B, P and T."""
    sheet: list[list[str]] = []
    colours: list[str] = []

    def cell(column: int, row: int) -> str:
        return sheet[column][row] if row < len(sheet[column]) else ""

    for letter in sequence.replace("T", ""):
        if not sheet or sheet[-1][0] != letter:
            sheet.append([letter])
            here = len(sheet) - 1
            if here - 1 - distance >= 0:
                colours.append("red" if len(sheet[here - 1]) == len(sheet[here - 1 - distance]) else "blue")
            continue
        sheet[-1].append(letter)
        beside, row = len(sheet) - 1 - distance, len(sheet[-1]) - 1
        if beside >= 0:
            colours.append("red" if cell(beside, row) == cell(beside, row - 1) else "blue")
    return colours


def second_layout(entries: list[str]) -> list[tuple[int, int]]:
    """Cells of a road by a dictionary of what is on it: top of the next free column, below, else right."""
    board: dict[tuple[int, int], str] = {}
    cells: list[tuple[int, int]] = []
    start = -1
    for place, entry in enumerate(entries):
        if place == 0 or entries[place - 1] != entry:
            start += 1
            while (0, start) in board:
                start += 1
            cell = (0, start)
        else:
            row, col = cells[-1]
            below = (row + 1, col)
            cell = below if row < 5 and below not in board else (row, col + 1)
        assert cell not in board
        board[cell] = entry
        cells.append(cell)
    return cells
