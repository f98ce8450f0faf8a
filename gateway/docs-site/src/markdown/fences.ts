/** The fenced code blocks of Markdown and what their info strings say: ` ```sh not-run="…" `. */
export interface FenceInfo {
  language: string
  title?: string
  /** Reason for which tests do not run the block. */
  notRun?: string
  /** The JSON is the response to the block before; tests compare their fields. */
  isResponse: boolean
}

/** Reads an info string: the language, then `response`, `title="…"` and `not-run="…"`. */
export function readFenceInfo(info: string): FenceInfo {
  const [language = 'text'] = info.trim().split(/\s/)
  const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(info)?.[1]
  const title = attribute('title')
  const notRun = attribute('not-run')
  return {
    language,
    ...(title === undefined ? {} : { title }),
    ...(notRun === undefined ? {} : { notRun }),
    isResponse: /\bresponse\b/.test(info.replaceAll(/"[^"]*"/g, '')),
  }
}
