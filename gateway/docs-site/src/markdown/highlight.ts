import { createCssVariablesTheme, createHighlighter } from 'shiki'
import { type Html, html, join, trusted } from '../html.ts'

/** Colours code. Classes, because the content security policy of the pages allows no `style` attributes. */
export type Highlight = (code: string, language: string) => Html

const languages = ['shellscript', 'typescript', 'javascript', 'python', 'json', 'http', 'sql', 'go'] as const
const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--', fontStyle: false })

/** Loads the grammars. */
export async function createHighlight(): Promise<Highlight> {
  const highlighter = await createHighlighter({ themes: [theme], langs: [...languages] })
  const known = new Set(highlighter.getLoadedLanguages())
  return (code, language) => {
    if (!known.has(language)) return html`${code}`
    const lines = highlighter.codeToTokensBase(code, { lang: language as (typeof languages)[number], theme }) // the languages loaded
    return trusted(lines.map((line) => join(line.map(renderToken)).markup).join('\n'))
  }
}

/** A colour is the name of a variable, such as `var(--token-keyword)`. */
function renderToken({ content, color = '' }: { content: string; color?: string | undefined }): Html {
  const kind = /--token-([a-z]+)/.exec(color)?.[1]
  return kind === undefined ? html`${content}` : html`<span class="t-${kind}">${content}</span>`
}
