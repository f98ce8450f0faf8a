import type writeWorkbook from 'write-excel-file/node'

type Feature = NonNullable<NonNullable<Parameters<typeof writeWorkbook>[1]>['features']>[number]

const marginsAndPaper =
  '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>' +
  // A4, as many pages high as it takes.
  '<pageSetup paperSize="9" orientation="ORIENTATION" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>'

/**
 * Returns a formula with its result, which `printedWorkbook` stores beside it: viewers of mails, telephones and the
 * protected view of Excel compute nothing, and would show an empty cell. No formula has a `|`.
 */
export const withResult = (formula: string, result: number): string => `${formula}|${result}`

/** Rows at the top of a sheet, as a reference to it: `'Who sits where'!$1:$2`. */
const rowsOf = (sheet: string, rows: number): string =>
  `'${sheet.replaceAll("'", "''").replaceAll('&', '&amp;').replaceAll('<', '&lt;')}'!$1:$${rows}`

/**
 * Stores the results of formulas, and makes each sheet print one page wide, in landscape where `orientation` says so,
 * with its sticky rows on each page, its name and the number of the page. ECMA-376, part 1, 18.3.1 (order of elements)
 * and 18.2.5 (print titles).
 */
export const printedWorkbook: Feature = {
  files: {
    transform: {
      'xl/worksheets/sheet{id}.xml': {
        transform: (xml, { orientation }) =>
          xml
            .replace(/<f>([^<|]*)\|([^<|]*)<\/f>/g, '<f>$1</f><v>$2</v>')
            .replace(/<pageMargins[^>]*\/>|<pageSetup[^>]*\/>/g, '')
            .replace(/(<worksheet[^>]*>)/, '$1<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>')
            .replace(
              '</worksheet>',
              `${marginsAndPaper.replace('ORIENTATION', orientation ?? 'portrait')}</worksheet>`,
            ),
      },
      'xl/workbook.xml': {
        transform: (xml, sheets) => {
          const titles = sheets.flatMap(({ sheet = '', stickyRowsCount = 0 }, at) =>
            stickyRowsCount === 0
              ? []
              : `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${rowsOf(sheet, stickyRowsCount)}</definedName>`,
          )
          return titles.length === 0
            ? xml
            : xml.replace(
                /<definedNames\s*\/>|<definedNames>\s*<\/definedNames>/,
                `<definedNames>${titles.join('')}</definedNames>`,
              )
        },
      },
    },
  },
}
