import { type ErrorCode, errorCodes, errors, jobErrorCodes, jobErrors, problemExample } from '@wp/contracts'
import { type Html, html } from '../html.ts'
import type { Highlight } from '../markdown/code-group.ts'
import { renderCodeGroup } from '../markdown/code-group.ts'
import { renderInline } from '../markdown/render-markdown.ts'
import { type Operation, operationPath } from '../reference/operation.ts'
import type { SitePage } from '../site-page.ts'
import { errorNotes } from './error-notes.ts'
import { jobErrorNotes } from './job-error-notes.ts'

type OwnJobErrorCode = (typeof jobErrorCodes)[number]

/** Their errors have the members of an OAuth error too. */
const tokenOperations: ReadonlySet<string> = new Set(['auth.exchangeToken', 'auth.revokeToken'])

/** An error that more operations return is one of all operations. */
const maxListedOperations = 40

/** Makes the page of each code of the error catalogue and of the errors of jobs. The path is part of the API. */
export const errorPages = (operations: readonly Operation[], highlight: Highlight): SitePage[] => [
  ...errorCodes.map((code) => problemPage(code, operations, highlight)),
  ...jobErrorCodes.map((code) => jobErrorPage(code, highlight)),
]

function problemPage(code: ErrorCode, operations: readonly Operation[], highlight: Highlight): SitePage {
  const { status, title, help } = errors[code]
  const declaring = operations.filter(({ responses }) => responses.some(({ codes }) => codes.includes(code)))
  const isOAuth = declaring.length > 0 && declaring.every(({ id }) => tokenOperations.has(id))
  const type = isOAuth ? 'application/json' : 'application/problem+json'
  const response = `HTTP/1.1 ${status}\ncontent-type: ${type}\n\n${JSON.stringify(problemExample(code, isOAuth ? 'oauth' : 'problem'), null, 2)}`
  return pageOf({
    code,
    kind: `${status}`,
    title,
    help,
    note: errorNotes[code],
    example: html`${renderCodeGroup([{ language: 'http', title: 'Response', code: response }], highlight)}<p>Quote <code>request_id</code> when you report a problem: it finds the request in the logs.</p>${renderOperations(declaring)}`,
  })
}

function jobErrorPage(code: OwnJobErrorCode, highlight: Highlight): SitePage {
  const { title, help } = jobErrors[code]
  const { note, ...error } = jobErrorNotes[code]
  const example = JSON.stringify({ status: 'failed', error: { code, ...error } }, null, 2)
  return pageOf({
    code,
    kind: 'Failed job',
    title,
    help,
    note: `${note} The request that began the job succeeded; the job itself has the \`status\` \`failed\`.`,
    example: renderCodeGroup([{ language: 'json', title: 'Part of the job', code: example }], highlight),
  })
}

interface ErrorDescription {
  code: string
  kind: string
  title: string
  help: string
  note: string
  example: Html
}

const pageOf = ({ code, kind, title, help, note, example }: ErrorDescription): SitePage => ({
  path: `/docs/errors/${code}`,
  title: code,
  description: `${title}. ${help.replaceAll('`', '')}`,
  section: 'Errors',
  body: html`<p class="lead"><span class="status">${kind}</span> ${title}.</p><h2 id="what-happened">What happened</h2><p>${renderInline(note)}</p><h2 id="what-to-do">What to do</h2><p>${renderInline(help)}</p><h2 id="example">Example</h2>${example}<p><a href="/docs/errors">All error codes</a></p>`,
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
