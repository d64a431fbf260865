"""Reads results folders of biela with pyarrow, pandas and polars, and writes streams for biela to read.

    check_results.py whole DIR          names, units, values and CSV against DIR/expected.json
    check_results.py cut DIR ROWS       the first ROWS rows of a data file that was cut
    check_results.py wide DIR           2001 columns of 100 rows
    check_results.py write DIR          streams of other origin
"""

import json
import math
import struct
import sys
from pathlib import Path

import pandas
import polars
import pyarrow
import pyarrow.ipc


def bits(values):
    return [struct.pack(">d", value).hex() for value in values]


def expected_columns(expected, rows=None):
    return [list(column) for column in zip(*expected["rows"][:rows])] or [[]] * 3


def whole(folder):
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    names = [name for name, _, _ in expected["columns"]]
    data = folder / "data.arrows"

    reader = pyarrow.ipc.open_stream(data)
    schema = reader.schema
    table = reader.read_all()
    table.validate(full=True)
    assert schema.names == names, schema.names
    assert schema.metadata[b"biela.model"].decode() == expected["model"], schema.metadata
    assert schema.metadata[b"biela.format"] == b"1", schema.metadata
    for field, (_, unit, description) in zip(schema, expected["columns"]):
        assert field.type == pyarrow.float64() and not field.nullable, field
        assert field.metadata == {b"unit": unit.encode(), b"description": description.encode()}, field.metadata
    columns = expected_columns(expected)
    assert [bits(column.to_pylist()) for column in table.columns] == columns

    frame = pyarrow.ipc.open_stream(data).read_pandas()
    assert list(frame.columns) == names
    assert [bits(frame[name]) for name in names] == columns

    frame = polars.read_ipc_stream(data)
    assert frame.columns == names
    assert set(frame.dtypes) == {polars.Float64}
    assert [bits(frame[name]) for name in names] == columns

    table = pandas.read_csv(folder / "data.csv", float_precision="round_trip")
    assert list(table.columns) == names
    for name, column in zip(names, columns):
        for read, put in zip(table[name], column, strict=True):
            assert struct.pack(">d", read).hex() == put or math.isnan(read), (name, read, put)

    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["status"] == {"state": "finished"}
    assert [column["name"] for column in manifest["columns"]] == names
    assert manifest["rows"] == len(expected["rows"])


def cut(folder, rows):
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    batches = []
    with pyarrow.ipc.open_stream(folder / "data.arrows") as reader:
        try:
            for batch in reader:
                batches.append(batch)
        except (pyarrow.ArrowInvalid, OSError):
            pass
        table = pyarrow.Table.from_batches(batches, reader.schema)
    assert table.num_rows == rows, (table.num_rows, rows)
    columns = expected_columns(expected, rows)
    assert [bits(column.to_pylist()) for column in table.columns] == columns
    frame = polars.from_arrow(table)
    assert [bits(column) for column in frame.get_columns()] == columns


def wide(folder):
    numbers = [float(row) for row in range(100)]
    table = pyarrow.ipc.open_stream(folder / "data.arrows").read_all()
    table.validate(full=True)
    frame = polars.read_ipc_stream(folder / "data.arrows")
    assert table.num_columns == frame.width == 2001
    assert table.column("signal 1999").to_pylist() == frame["signal 1999"].to_list() == numbers


def write(folder):
    def save(name, schema, tables, **options):
        with pyarrow.ipc.new_stream(folder / name, schema, options=pyarrow.ipc.IpcWriteOptions(**options)) as stream:
            for table in tables:
                stream.write_table(pyarrow.table(table, schema=schema))

    double = pyarrow.float64()
    x = pyarrow.field("x", double, metadata={"unit": "rad"})
    schema = pyarrow.schema([("time", double), x])
    tables = [{"time": [0.0, 0.5], "x": [1.0, -2.0]}, {"time": [1.0, 1.5], "x": [1e300, 0.25]}]
    save("plain.arrows", schema, tables)
    save("compressed", schema, tables, compression="zstd")
    save("nulls", schema, [{"time": [0.0, 0.5], "x": [None, 1.0]}])
    save("integers", pyarrow.schema([("time", double), ("n", pyarrow.int64())]), [{"time": [0.0], "n": [1]}])
    polars.DataFrame(tables[0]).write_ipc_stream(folder / "polars.arrows")


if __name__ == "__main__":
    command, folder = sys.argv[1], Path(sys.argv[2])
    if command == "cut":
        cut(folder, int(sys.argv[3]))
    else:
        {"whole": whole, "wide": wide, "write": write}[command](folder)
