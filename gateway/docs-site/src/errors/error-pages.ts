import { type ErrorCode, errorCodes, errors, jobErrorCodes, jobErrors } from '@wp/contracts'
import { exampleBase } from '../example-base.ts'
import { type Html, html } from '../html.ts'
import { renderCodeGroup } from '../markdown/code-group.ts'
import type { Highlight } from '../markdown/highlight.ts'
import { renderInline } from '../markdown/render-markdown.ts'
import { type Json, objectOf, resolve } from '../reference/json.ts'
import { type Operation, operationPath } from '../reference/operation.ts'
import type { SitePage } from '../site-page.ts'
import { errorNotes } from './error-notes.ts'

type OwnJobErrorCode = (typeof jobErrorCodes)[number]

/** An error that more operations return is one of all operations. */
const maxListedOperations = 40

/** Makes the page of each code of the error catalogue and of the errors of jobs. The path is part of the API. */
export const errorPages = (document: Json, operations: readonly Operation[], highlight: Highlight): SitePage[] => [
  ...errorCodes.map((code) => problemPage(document, code, operations, highlight)),
  ...jobErrorCodes.map((code) => jobErrorPage(code, highlight)),
]

function problemPage(
  document: Json,
  code: ErrorCode,
  operations: readonly Operation[],
  highlight: Highlight,
): SitePage {
  const { status, title, help } = errors[code]
  const declaring = operations.filter(({ responses }) => responses.some(({ codes }) => codes.includes(code)))
  const example = resolve(document, objectOf(objectOf(document.components).examples)[code]).value
  const response = `HTTP/1.1 ${status}\ncontent-type: application/problem+json\n\n${JSON.stringify(example ?? exampleOfProblem(code), null, 2)}`
  return pageOf({
    code,
    kind: `${status}`,
    title,
    help,
    note: errorNotes[code],
    example: html`${renderCodeGroup([{ language: 'http', title: 'Response', code: response }], highlight)}<p>Quote <code>request_id</code> when you report a problem: it finds the request in the logs.</p>${renderOperations(declaring)}`,
  })
}

/** The example of a code that no operation of the document declares. */
const exampleOfProblem = (code: ErrorCode) => ({
  success: false,
  type: `${exampleBase}/docs/errors/${code}`,
  title: errors[code].title,
  status: errors[code].status,
  code,
  detail: errors[code].title,
  request_id: '01KBQ3W6Z8T9V0N2M4P6R8S0AB',
})

function jobErrorPage(code: OwnJobErrorCode, highlight: Highlight): SitePage {
  const { title, help } = jobErrors[code]
  const example = JSON.stringify({ status: 'failed', error: { code, message: title, retryable: false } }, null, 2)
  return pageOf({
    code,
    kind: 'Failed job',
    title,
    help,
    note: 'The request that began the job succeeded. The job itself failed: its `status` is `failed`.',
    example: renderCodeGroup([{ language: 'json', title: 'Part of the job', code: example }], highlight),
  })
}

interface ErrorDescription {
  code: string
  kind: string
  title: string
  help: string
  note: string | undefined
  example: Html
}

const pageOf = ({ code, kind, title, help, note = '', example }: ErrorDescription): SitePage => ({
  path: `/docs/errors/${code}`,
  title: code,
  description: `${title}. ${help.replaceAll('`', '')}`,
  section: 'Errors',
  body: html`<p class="lead"><span class="status">${kind}</span> ${title}.</p>${note !== '' && html`<h2 id="what-happened">What happened</h2><p>${renderInline(note)}</p>`}<h2 id="what-to-do">What to do</h2><p>${renderInline(help)}</p><h2 id="example">Example</h2>${example}<p><a href="/docs/errors">All error codes</a></p>`,
  entries: [
    {
      address: `/docs/errors/${code}`,
      title: code,
      page: '',
      section: 'Errors',
      text: `${kind} ${title}. ${note} ${help}`.replaceAll('`', ''),
    },
  ],
})

function renderOperations(operations: readonly Operation[]): Html {
  if (operations.length === 0 || operations.length > maxListedOperations) return html``
  return html`<h2 id="operations">Operations that return it</h2><ul class="links">${operations.map((operation) => html`<li><a href="${operationPath(operation)}">${operation.summary}</a></li>`)}</ul>`
}

/** Renders the tables of all codes, for the guide about errors. */
export const renderErrorCatalogue = (): Html =>
  html`${[...Map.groupBy(errorCodes, (code) => errors[code].status)].sort(([a], [b]) => a - b).map(([status, codes]) => html`<h3 id="status-${status}">${status}</h3><ul class="codes">${codes.map((code) => renderCode(code, errors[code].title))}</ul>`)}`

/** Renders the list of the codes of failed jobs. */
export const renderJobErrors = (): Html =>
  html`<ul class="codes">${jobErrorCodes.map((code) => renderCode(code, jobErrors[code].title))}</ul>`

const renderCode = (code: string, title: string): Html =>
  html`<li><a href="/docs/errors/${code}"><code>${code}</code></a> <span>${title}</span></li>`
