import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { rowOf } from './rows.ts'

const names = ['ts', 'room', 'people', 'note', 'id'] as const

/** Returns a workbook of one sheet with inline texts, as few other programs than spreadsheets write it. */
export function createWorkbook(rows: number): Uint8Array<ArrayBuffer> {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value.replaceAll('"', '&quot;')}</t></is></c>`
  const number = (value: string) => `<c><v>${value}</v></c>`
  const lines = Array.from({ length: rows }, (_, index) => {
    const { ts, room, people, note, id } = rowOf(index)
    return `<row>${text(ts)}${text(room)}${number(people)}${text(note)}${number(id)}</row>`
  })
  const sheet = `<worksheet><sheetData><row>${names.map(text).join('')}</row>${lines.join('')}</sheetData></worksheet>`
  return zipSync({
    '[Content_Types].xml': strToU8('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    'xl/workbook.xml': strToU8(
      '<workbook xmlns:r="r"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(sheet),
  })
}

export function createParquet(rows: number): Uint8Array<ArrayBuffer> {
  const values = Array.from({ length: rows }, (_, index) => rowOf(index))
  const columnData = names.map((name) => {
    const isNumber = name === 'people' || name === 'id'
    const data = values.map((row) => (isNumber ? Number(row[name]) : row[name]))
    return { name, data, type: isNumber ? ('INT32' as const) : ('STRING' as const) }
  })
  return new Uint8Array(parquetWriteBuffer({ columnData }))
}
