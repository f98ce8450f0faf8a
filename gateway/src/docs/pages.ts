import {
  acceptedCredentials,
  type EndpointDefinition,
  errorCodes,
  errors,
  jobErrorCodes,
  jobErrors,
  publicEndpoints,
} from '@wp/contracts'
import { escapeHtml } from '@wp/service'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c1f23}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #dde1e6;vertical-align:top}
code{font:14px ui-monospace,monospace}h2{margin-top:2.5rem}small{color:#5b6470}`

const renderPage = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><body>${body}</body></html>`

/** Returns the HTML page of the root path. */
export const startPage = (): string =>
  renderPage(
    'Workspace platform',
    '<h1>Workspace platform</h1><p>This is an API. Use it in <a href="/console/">the console</a>, read <a href="/docs">the reference</a> or its machine-readable form, <a href="/openapi.json">openapi.json</a>.</p>',
  )

/** Returns the HTML page that lists every public endpoint. */
export function referencePage(): string {
  const sections = [...Map.groupBy(publicEndpoints, ({ surface }) => surface)].map(([surface, endpoints]) => {
    const rows = endpoints.map(({ definition }) => endpointRow(definition))
    return `<h2 id="${surface}">${surface}</h2><table>${rows.join('')}</table>`
  })
  return renderPage(
    'Workspace platform',
    `<h1>Workspace platform</h1><p>Machine-readable: <a href="/openapi.json">openapi.json</a>. Errors: ${linksOf(errorCodes)}. Errors of failed jobs: ${linksOf(jobErrorCodes)}.</p>${sections.join('')}`,
  )
}

function endpointRow(definition: EndpointDefinition): string {
  const access = acceptedCredentials(definition).length === 0 ? 'no credential' : (definition.scope ?? 'any credential')
  return `<tr><td><code>${definition.method}</code><td><code>${escapeHtml(definition.path)}</code><td>${escapeHtml(definition.summary)}<br><small>${access}</small>`
}

/** Returns the HTML page of the code of an error or of a job error: its meaning and what to do. Undefined if there is no such code. */
export function errorPage(text: string): string | undefined {
  const code = errorCodes.find((known) => known === text)
  if (code !== undefined) return renderErrorPage(code, `${errors[code].status}`, errors[code])
  const jobCode = jobErrorCodes.find((known) => known === text)
  return jobCode && renderErrorPage(jobCode, 'Error of a failed job', jobErrors[jobCode])
}

const renderErrorPage = (code: string, kind: string, { title, help }: { title: string; help: string }) =>
  renderPage(
    code,
    `<h1><code>${code}</code></h1><p><strong>${kind} · ${title}.</strong></p><p>${escapeHtml(help)}</p><p><a href="/docs">All endpoints</a></p>`,
  )

const linksOf = (codes: readonly string[]) =>
  codes.map((code) => `<a href="/docs/errors/${code}"><code>${code}</code></a>`).join(' ')
