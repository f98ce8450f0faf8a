import { Buffer } from 'node:buffer'

/** The kind of a file by its first bytes. `text` may be any format of text. */
export type FileKind = 'gzip' | 'zip' | 'parquet' | 'text' | { unsupported: string }

const signatures: readonly (readonly [string, string])[] = [
  ['25504446', 'a PDF document'],
  [
    'd0cf11e0a1b11ae1',
    'a workbook of an old Office format, or protected by a password; save it as .xlsx without a password',
  ],
  ...['09000400', '09020600', '09040600'].map((mark): [string, string] => [
    mark,
    'a workbook of a very old Excel; save it as .xlsx',
  ]),
  ['7b5c727466', 'an RTF document'],
  // `ID;P` and the program that wrote it.
  ...['WXL', 'SCALC', 'CALCOOO'].map((program): [string, string] => [
    Buffer.from(`ID;P${program}`).toString('hex'),
    'a SYLK spreadsheet; save it as .xlsx',
  ]),
  ['89504e47', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['52617221', 'a RAR archive'],
  ['377abcaf', 'a 7z archive'],
  ['425a68', 'a bzip2 archive'],
  ['fd377a58', 'an xz archive'],
  ['28b52ffd', 'Zstandard data'],
  ['53514c69746520', 'an SQLite database'],
  ['4f626a01', 'an Avro file'],
  ['4f5243', 'an ORC file'],
  ['4152524f5731', 'an Arrow file'],
]

/** Returns the kind of a file, whatever its name and content type are. */
export function sniffKind(head: Uint8Array): FileKind {
  const hex = Buffer.from(head.subarray(0, 16)).toString('hex')
  if (hex.startsWith('1f8b')) return 'gzip'
  if (hex.startsWith('504b0304') || hex.startsWith('504b0506')) return 'zip'
  if (hex.startsWith('50415231')) return 'parquet'
  const [, name] = signatures.find(([signature]) => hex.startsWith(signature)) ?? []
  return name === undefined ? 'text' : { unsupported: name }
}
