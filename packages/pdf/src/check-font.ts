import { ConfigError } from '@wp/service'
import { createDocument } from './document.ts'

/**
 * Reads the font for names, so that a wrong file ends the start of the service and not each request of a PDF.
 * @param variable the environment variable that names the file
 * @throws ConfigError if the file cannot be read, or is not one TrueType or OpenType font
 */
export function checkFont(variable: string, nameFontFile: string | undefined): void {
  if (nameFontFile === undefined) return
  try {
    const { document } = createDocument({ title: '', author: '', date: new Date(0), nameFontFile })
    document.font('names').widthOfString('A')
  } catch (cause) {
    throw new ConfigError(
      `${variable} is not valid: ${nameFontFile} cannot be read, or is not a single TrueType or OpenType font`,
      { cause },
    )
  }
}
