import { createHash } from 'node:crypto'
import { createCssVariablesTheme, createHighlighter } from 'shiki'
import { type Html, html, join, trusted } from '../html.ts'

const languages = ['shellscript', 'typescript', 'javascript', 'python', 'json', 'http', 'sql', 'go'] as const
const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--', fontStyle: false })

/** One block of code. Blocks of one group show the same in several languages, as tabs. */
export interface CodeBlock {
  language: string
  code: string
  title?: string
}

const languageNames: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  json: 'JSON',
  http: 'HTTP',
  sql: 'SQL',
  go: 'Go',
  text: 'Text',
}

/** Renders a group of code blocks with a button that copies the visible one. */
export function renderCodeGroup(blocks: readonly CodeBlock[], highlight: Highlight): Html {
  const [first] = blocks
  if (first === undefined) return html``
  const id = `c${createHash('sha256').update(JSON.stringify(blocks)).digest('hex').slice(0, 8)}`
  const label = blocks.length === 1 ? (first.title ?? nameOf(first, false)) : 'Code'
  const head =
    blocks.length === 1
      ? html`<span class="code-title">${label}</span>`
      : html`<div class="tabs" role="tablist" aria-label="Language">${blocks.map((block, index) => renderTab(block, index, id))}</div>`
  return html`<div class="code" role="group" aria-label="${label}"><div class="code-head">${head}<button class="copy" type="button" hidden>Copy</button></div>${blocks.map(
    (block, index) => renderPanel(block, index, blocks.length === 1 ? undefined : id, highlight),
  )}</div>`
}

const nameOf = ({ language }: CodeBlock, isTab: boolean): string =>
  language === 'sh' && !isTab ? 'Shell' : (languageNames[language] ?? language)

const renderTab = (block: CodeBlock, index: number, id: string): Html =>
  html`<button type="button" role="tab" id="${id}-t${index}" aria-controls="${id}-p${index}" aria-selected="${index === 0 ? 'true' : 'false'}" tabindex="${index === 0 ? 0 : -1}" data-language="${block.language}">${block.title ?? nameOf(block, true)}</button>`

function renderPanel(block: CodeBlock, index: number, id: string | undefined, highlight: Highlight): Html {
  const code = html`<pre tabindex="0" aria-label="${nameOf(block, true)}"><code class="language-${block.language}">${highlight(block.code, block.language)}</code></pre>`
  if (id === undefined) return code
  return html`<div role="tabpanel" id="${id}-p${index}" aria-labelledby="${id}-t${index}"${index > 0 && html` hidden`}>${code}</div>`
}

/** Colours code. Classes, because the content security policy of the pages allows no `style` attributes. */
export type Highlight = (code: string, language: string) => Html

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
