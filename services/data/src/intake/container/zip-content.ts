import type { Entry } from 'yauzl'
import { malformed } from '../problems.ts'
import type { ZipArchive } from './zip-archive.ts'

const maxListed = 10

/** Returns the only file of an archive, besides those that operating systems add. @throws Problem `malformed_body` */
export function onlyFileOf({ entries }: ZipArchive): Entry {
  const document = documentName([...entries.keys()])
  if (document !== undefined) throw malformed(`The file is ${document}`)
  const files = [...entries].filter(
    ([path]) => !/^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path),
  )
  const [first] = files
  if (first === undefined) throw malformed('The archive has no files')
  if (files.length === 1) return first[1]
  const names = files.slice(0, maxListed).map(([path]) => path.slice(0, 100))
  const more = files.length > maxListed ? ` and ${files.length - maxListed} others` : ''
  throw malformed(`The archive has ${files.length} files: ${names.join(', ')}${more}. Send one of them`)
}

/** Returns the name of a document that is an archive itself. */
function documentName(paths: readonly string[]): string | undefined {
  const has = (pattern: RegExp) => paths.some((path) => pattern.test(path))
  if (has(/^word\//)) return 'a Word document'
  if (has(/^ppt\//)) return 'a presentation'
  if (has(/^xl\/workbook\.bin$/)) return 'a binary workbook; save it as .xlsx'
  return has(/^content\.xml$/) && has(/^mimetype$/) ? 'an OpenDocument file; save it as .xlsx or CSV' : undefined
}
