import { posix } from 'node:path'
import type { ZipArchive } from '../container/zip-archive.ts'
import { malformed } from '../problems.ts'
import { attributeOf, parseXmlDocument } from './read-xml.ts'
import { cellFormatOf, type DateFormat, type NumberDisplay } from './serial-dates.ts'

/** Parts of a workbook besides its sheets. */
export interface WorkbookParts {
  /** Their labels stand in warnings for their names. */
  sheets: { name: string; label: string; path: string; isHidden: boolean }[]
  uses1904: boolean
  /** The formats by the style of a cell. */
  formats: (DateFormat | NumberDisplay | undefined)[]
  sharedStrings: string[]
}

/** Limits of what is kept in memory. */
const maxSharedStrings = 2_000_000
const maxSharedCharacters = 134_217_728

/**
 * Reads all parts of a workbook but the sheets.
 * @param hidesNames gives sheets their numbers as labels: names may be those of people
 * @throws Problem `malformed_body`
 */
export async function readWorkbookParts(archive: ZipArchive, hidesNames: boolean): Promise<WorkbookParts> {
  const workbookPath =
    [...archive.entries.keys()].find((path) => /(?:^|\/)workbook\.xml$/.test(path)) ?? 'xl/workbook.xml'
  const folder = posix.dirname(workbookPath)
  const targets = await readTargets(archive, `${folder}/_rels/${posix.basename(workbookPath)}.rels`, folder)
  const sheets: WorkbookParts['sheets'] = []
  let uses1904 = false
  await parsePart(archive, workbookPath, {
    open(name, attributes) {
      // Extensions have an element of the same name, without the system of dates.
      if (name === 'workbookPr' && attributes.date1904 !== undefined)
        uses1904 = /^(?:1|true)$/.test(attributes.date1904)
      if (name !== 'sheet') return
      const path = targets.get(attributeOf(attributes, 'id') ?? '')
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      if (path === undefined || !archive.entries.has(path)) return
      const { name: sheetName = '' } = attributes
      const label = hidesNames ? `${sheets.length + 1}` : `"${sheetName}"`
      sheets.push({ name: sheetName, label, path, isHidden })
    },
  })
  if (sheets.length === 0) throw malformed('The workbook has no sheets')
  return {
    sheets,
    uses1904,
    formats: await readFormats(archive, targets.get('styles') ?? `${folder}/styles.xml`),
    sharedStrings: await readSharedStrings(archive, targets.get('sharedStrings') ?? `${folder}/sharedStrings.xml`),
  }
}

async function parsePart(
  archive: ZipArchive,
  path: string,
  handlers: Parameters<typeof parseXmlDocument>[2],
): Promise<void> {
  const entry = archive.entries.get(path)
  if (entry !== undefined) await parseXmlDocument(archive.read(entry), path, handlers)
}

/** Returns the paths of the parts of a workbook by their relationship, and by its kind, such as `styles`. */
async function readTargets(archive: ZipArchive, path: string, folder: string): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  await parsePart(archive, path, {
    open(name, { Id: id, Type: type, Target: target }) {
      if (name !== 'Relationship' || id === undefined || target === undefined) return
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
      targets.set(id, path)
      if (type !== undefined) targets.set(posix.basename(type), path)
    },
  })
  return targets
}

async function readFormats(archive: ZipArchive, path: string): Promise<WorkbookParts['formats']> {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isInCells = false
  await parsePart(archive, path, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      if (name === 'cellXfs') isInCells = true
      if (name === 'xf' && isInCells) ids.push(Number(attributes.numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return ids.map((id) => cellFormatOf(id, codes.get(id)))
}

async function readSharedStrings(archive: ZipArchive, path: string): Promise<string[]> {
  const strings: string[] = []
  let text = ''
  let size = 0
  let isText = false
  /** Depth in phonetic readings, which are no part of the text. */
  let phonetic = 0
  await parsePart(archive, path, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') phonetic++
      isText = name === 't' && phonetic === 0
    },
    text(piece) {
      if (!isText) return
      text += piece
      size += piece.length
      if (size > maxSharedCharacters) throw malformed('The texts of the workbook are too large')
    },
    close(name) {
      if (name === 't') isText = false
      if (name === 'rPh') phonetic--
      if (name !== 'si') return
      if (strings.length >= maxSharedStrings) throw malformed(`The workbook has more than ${maxSharedStrings} texts`)
      strings.push(decodeEscapes(text))
    },
  })
  return strings
}

/** Decodes characters that XML cannot contain, such as `_x000D_`. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
