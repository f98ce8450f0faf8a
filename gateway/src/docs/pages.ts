import { acceptedCredentials, type ErrorCode, errorCodes, errors, publicEndpoints } from '@wp/contracts'

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1c1f23}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #dde1e6;vertical-align:top}
code{font:14px ui-monospace,monospace}h2{margin-top:2.5rem}small{color:#5b6470}`

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><body>${body}</body></html>`

/** The reference of every endpoint, on one page. */
export function referencePage(): string {
  const sections = [...Map.groupBy(publicEndpoints, ({ service }) => service)].map(([service, endpoints]) => {
    const rows = endpoints.map(({ definition }) => {
      const access = acceptedCredentials(definition).length === 0 ? 'open' : (definition.scope ?? 'any credential')
      return `<tr><td><code>${definition.method}</code><td><code>${escapeHtml(definition.path)}</code><td>${escapeHtml(definition.summary)}<br><small>${access}</small>`
    })
    return `<h2 id="${service}">${service}</h2><table>${rows.join('')}</table>`
  })
  return page(
    'Workspace platform',
    `<h1>Workspace platform</h1><p>Machine-readable: <a href="/openapi.json">openapi.json</a>. Errors: ${errorLinks()}.</p>${sections.join('')}`,
  )
}

/** What an error code means and what to do. @returns undefined for a word that is no code */
export function errorPage(codeText: string): string | undefined {
  const code = errorCodes.find((known) => known === codeText)
  if (code === undefined) return undefined
  const { status, title, help } = errors[code]
  return page(
    code,
    `<h1><code>${code}</code></h1><p><strong>${status} · ${title}.</strong></p><p>${help}</p><p><a href="/docs">All endpoints</a></p>`,
  )
}

const errorLinks = () =>
  errorCodes.map((code: ErrorCode) => `<a href="/docs/errors/${code}"><code>${code}</code></a>`).join(' ')

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
