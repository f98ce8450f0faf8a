import { strToU8, zipSync } from 'fflate'

/** A cell to write: a text, a number, nothing, a serial date, or the XML of a cell without its reference. */
export type WorkbookCell = string | number | boolean | null | { serial: number; style?: number } | { xml: string }

interface Sheet {
  name: string
  rows: WorkbookCell[][]
  state?: string
  /** Lines of hidden rows, and positions of hidden columns, both from 1. */
  hiddenRows?: number[]
  hiddenColumns?: number[]
  /** References of merged cells, such as `A2:A5`. */
  merged?: string[]
}

interface WorkbookOptions {
  uses1904?: boolean
  sharedStrings?: string[]
  /** Codes of the formats of the styles from 2 on. */
  formats?: string[]
  /** Names the parts of styles and texts otherwise than most programs do. */
  hasOtherNames?: boolean
}

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Excel writes elements of its own with the names of others. */
const extensions = '<extLst><ext uri="x"><x14:workbookPr xmlns:x14="x14" defaultImageDpi="32767"/></ext></extLst>'

/** Writes a small workbook. Style 1 is a date with a time. */
export function writeWorkbook(
  sheets: readonly Sheet[],
  { uses1904 = false, sharedStrings = [], formats = [], hasOtherNames = false }: WorkbookOptions = {},
): Buffer {
  const styles = hasOtherNames ? 'xl/styles2.xml' : 'xl/styles.xml'
  const texts = hasOtherNames ? 'xl/SharedStrings.xml' : 'xl/sharedStrings.xml'
  const codes = ['yyyy-mm-dd h:mm:ss', ...formats]
  const files: Record<string, Uint8Array> = {
    '[Content_Types].xml': strToU8('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns:r="r"><workbookPr${uses1904 ? ' date1904="1"' : ''}/><sheets>${sheets.map(({ name, state }, index) => `<sheet name="${xml(name)}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`).join('')}</sheets>${extensions}</workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${sheets.map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}<Relationship Id="styles" Type="${relationships}/styles" Target="/${styles}"/><Relationship Id="texts" Type="${relationships}/sharedStrings" Target="/${texts}"/></Relationships>`,
    ),
    [styles]: strToU8(
      `<styleSheet><numFmts>${codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${xml(code)}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join('')}</cellXfs></styleSheet>`,
    ),
    [texts]: strToU8(`<sst>${sharedStrings.map((text) => `<si><t>${xml(text)}</t></si>`).join('')}</sst>`),
  }
  for (const [index, { rows, merged = [], hiddenRows = [], hiddenColumns = [] }] of sheets.entries())
    files[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(
      `<worksheet><cols>${hiddenColumns.map((column) => `<col min="${column}" max="${column}" hidden="1"/>`).join('')}</cols><sheetData>${rows.map((cells, row) => `<row r="${row + 1}"${hiddenRows.includes(row + 1) ? ' hidden="1"' : ''}>${cells.map((cell, column) => writeCell(cell, `${columnName(column)}${row + 1}`)).join('')}</row>`).join('')}</sheetData>${merged.length === 0 ? '' : `<mergeCells>${merged.map((reference) => `<mergeCell ref="${reference}"/>`).join('')}</mergeCells>`}</worksheet>`,
    )
  return Buffer.from(zipSync(files))
}

const columnName = (column: number): string =>
  (column < 26 ? '' : columnName(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

function writeCell(cell: WorkbookCell, reference: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'string') return `<c r="${reference}" t="inlineStr"><is><t>${xml(cell)}</t></is></c>`
  if ('xml' in cell) return cell.xml.replace('<c', `<c r="${reference}"`)
  return `<c r="${reference}" s="${cell.style ?? 1}"><v>${cell.serial}</v></c>`
}
