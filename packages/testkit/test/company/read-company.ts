import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { companyFiles, type describeTruth } from '../../src/company/index.ts'

export type Expected = ReturnType<typeof describeTruth>

export async function readExpected(folder: string): Promise<Expected> {
  // Written by `writeCompany` from a value of this type.
  return JSON.parse(await readFile(join(folder, companyFiles.expected), 'utf8')) as Expected
}

/** Reads the rows of an exported file without its header, split into fields. No field of these files is quoted. */
export async function readRows(folder: string, name: keyof typeof companyFiles, delimiter = ','): Promise<string[][]> {
  const text = await readFile(join(folder, companyFiles[name]), 'utf8')
  return text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(delimiter))
}
