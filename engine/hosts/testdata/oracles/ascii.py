"""Writes the table of the crate deunicode as ../../ascii.zst has it, before it is packed.
Usage: ascii.py DEUNICODE-1.6.2/src | zstd --ultra -22 > ascii.zst"""
import sys

texts, pointers = (open(f'{sys.argv[1]}/{f}', 'rb').read() for f in ('mapping.txt', 'pointers.bin'))
table = []
for at in range(0, len(pointers), 3):
    n, where = pointers[at + 2], int.from_bytes(pointers[at:at + 2], 'little')
    text = pointers[at:at + n] if n <= 2 else texts[where:where + n]
    table.append(text if len(text) == n else b'\1')
while table[-1] == b'\1': table.pop()
sys.stdout.buffer.write(b'\0'.join(table))
