import { type ErrorCode, errorCodes, errors, jobErrorCodes, jobErrors } from '@wp/contracts'
import { exampleBase } from '../example-base.ts'
import { type Html, html } from '../html.ts'
import { renderCodeGroup } from '../markdown/code-group.ts'
import type { Highlight } from '../markdown/highlight.ts'
import { renderInline } from '../markdown/render-markdown.ts'
import { type Operation, operationPath } from '../reference/operation.ts'
import type { SitePage } from '../site-page.ts'

type OwnJobErrorCode = (typeof jobErrorCodes)[number]

/** An error that more operations answer is one of all operations. */
const maxListedOperations = 40

/** Makes the page of each code of the error catalogue and of the errors of jobs. The path is part of the API. */
export const errorPages = (operations: readonly Operation[], highlight: Highlight): SitePage[] => [
  ...errorCodes.map((code) => problemPage(code, operations, highlight)),
  ...jobErrorCodes.map((code) => jobErrorPage(code, highlight)),
]

function problemPage(code: ErrorCode, operations: readonly Operation[], highlight: Highlight): SitePage {
  const { status, title, help } = errors[code]
  const answering = operations.filter(({ responses }) => responses.some(({ codes }) => codes.includes(code)))
  const example = {
    success: false,
    type: `${exampleBase}/docs/errors/${code}`,
    title,
    status,
    code,
    detail: `${title}.`,
    request_id: '01KDZ5W2C7T9Q3M4X8B6',
  }
  return pageOf(
    code,
    `${status}`,
    title,
    help,
    html`<p>A failed job can have the same code in its <code>error</code>.</p><h2 id="example">Example</h2>${renderCodeGroup([{ language: 'http', title: 'Answer', code: `HTTP/1.1 ${status}\ncontent-type: application/problem+json\n\n${JSON.stringify(example, null, 2)}` }], highlight)}<p>Quote <code>request_id</code> when you report a problem: it finds the request in the logs.</p>${renderOperations(answering)}`,
  )
}

function jobErrorPage(code: OwnJobErrorCode, highlight: Highlight): SitePage {
  const { title, help } = jobErrors[code]
  const example = { status: 'failed', error: { code, message: title, retryable: false } }
  return pageOf(
    code,
    'Failed job',
    title,
    help,
    html`<h2 id="example">Example</h2><p>The request that began the job succeeded. The job has <code>status</code> <code>failed</code> and this error:</p>${renderCodeGroup([{ language: 'json', title: 'Part of the job', code: JSON.stringify(example, null, 2) }], highlight)}`,
  )
}

const pageOf = (code: string, kind: string, title: string, help: string, rest: Html): SitePage => ({
  path: `/docs/errors/${code}`,
  title: code,
  description: `${title}. ${help.replaceAll('`', '')}`,
  section: 'Errors',
  body: html`<p class="lead"><span class="status">${kind}</span> ${title}.</p><h2 id="what-to-do">What to do</h2><p>${renderInline(help)}</p>${rest}<p><a href="/docs/errors">All error codes</a></p>`,
  entries: [
    {
      address: `/docs/errors/${code}`,
      title: code,
      page: '',
      section: 'Errors',
      text: `${kind} ${title}. ${help.replaceAll('`', '')}`,
    },
  ],
})

function renderOperations(operations: readonly Operation[]): Html {
  if (operations.length === 0 || operations.length > maxListedOperations) return html``
  return html`<h2 id="operations">Operations that answer it</h2><ul class="links">${operations.map((operation) => html`<li><a href="${operationPath(operation)}">${operation.summary}</a></li>`)}</ul>`
}

/** Renders the tables of all codes, for the guide about errors. */
export const renderErrorCatalogue = (): Html =>
  html`${[...Map.groupBy(errorCodes, (code) => errors[code].status)].sort(([a], [b]) => a - b).map(([status, codes]) => html`<h3 id="status-${status}">${status}</h3><ul class="codes">${codes.map((code) => renderCode(code, errors[code].title))}</ul>`)}`

/** Renders the list of the codes of failed jobs. */
export const renderJobErrors = (): Html =>
  html`<ul class="codes">${jobErrorCodes.map((code) => renderCode(code, jobErrors[code].title))}</ul>`

const renderCode = (code: string, title: string): Html =>
  html`<li><a href="/docs/errors/${code}"><code>${code}</code></a> <span>${title}</span></li>`
