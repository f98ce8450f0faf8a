import { errors } from '@wp/contracts'
import { type Html, html } from '../html.ts'
import type { Highlight } from '../markdown/code-group.ts'
import { renderCodeGroup } from '../markdown/code-group.ts'
import { renderText } from '../markdown/render-markdown.ts'
import type { SitePage } from '../site-page.ts'
import { exampleOfMedia } from './example.ts'
import { type Json, stringOf } from './json.ts'
import { type Operation, operationPath, surfaceTitle } from './operation.ts'
import { samplesOf } from './samples.ts'
import { fieldOfParameter, renderField, renderSchema } from './schema-view.ts'

/** Makes the page of an operation. */
export function operationPage(document: Json, operation: Operation, highlight: Highlight): SitePage {
  const { method, path, summary, tag } = operation
  const address = operationPath(operation)
  const section = surfaceTitle(tag)
  return {
    path: address,
    title: summary,
    description: `${summary}: ${method} ${path}`,
    section,
    body: html`<p class="endpoint"><span class="method method-${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></p>${operation.isDeprecated && html`<div class="callout callout-warning" role="note"><p>This operation is deprecated. See <a href="/docs/versioning">versioning</a>.</p></div>`}${operation.description && renderText(withoutScope(operation))}${renderAccess(operation)}${renderParameters(document, operation)}${renderBody(document, operation)}${renderResponses(document, operation)}${renderErrors(operation)}`,
    aside: renderSamples(document, operation, highlight),
    entries: [
      {
        address,
        title: summary,
        page: '',
        section: 'API reference',
        text: `${method} ${path} · ${methodsOf(operation)} · ${(operation.description ?? '').replaceAll('`', '')}`,
      },
    ],
  }
}

/** The methods of the clients, so that the search finds them. */
const methodsOf = ({ id }: Operation): string =>
  `client.${id} · client.${id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`

/** The scope has a line of its own. */
const withoutScope = ({ description = '' }: Operation): string =>
  description.replace(/\n*Requires the scope `[^`]+`\.\s*$/, '')

/** Allows a path to break at its slashes. */
const breakable = (path: string): Html =>
  html`${path.split('/').map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`)}`

const credentialNames: Readonly<Record<string, string>> = {
  bearer: 'access token',
  oauth2: 'access token',
  apiKey: 'API key',
  basic: 'client id and secret (Basic)',
  clientBasic: 'client id and secret (Basic)',
}

function renderAccess({ id, credentials, scope }: Operation): Html {
  const names = [...new Set(credentials.map((name) => credentialNames[name] ?? name))]
  return html`<dl class="facts"><div><dt>Credential</dt><dd>${names.length === 0 ? 'none' : html`<a href="/docs/authentication">${names.join(' or ')}</a>`}</dd></div>${scope && html`<div><dt>Scope</dt><dd><code>${scope}</code></dd></div>`}<div><dt>Operation</dt><dd><code>${id}</code></dd></div></dl>`
}

const places = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' }

function renderParameters(document: Json, { parameters }: Operation): Html {
  const groups = Object.entries(places).map(([place, title]) => ({
    title,
    fields: parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => fieldOfParameter(document, parameter)),
  }))
  return html`${groups.filter(({ fields }) => fields.length > 0).map(({ title, fields }) => html`<h2>${title}</h2><ul class="fields">${fields.map((field) => renderField(document, field))}</ul>`)}`
}

function renderBody(document: Json, { body }: Operation): Html {
  if (body === undefined) return html``
  const types = body.content.map(([type], index) => html`${index > 0 && ', '}<code>${type}</code>`)
  const media = body.content.find(([type]) => type === 'application/json')?.[1] ?? body.content[0]?.[1]
  return html`<h2>Body</h2><p class="field-note">${types}${!body.isRequired && ' · may be left out'}</p>${media?.schema !== undefined && renderSchema(document, media.schema)}`
}

function renderResponses(document: Json, { responses }: Operation): Html {
  const successes = responses.filter(({ status }) => Number(status) < 400)
  return html`<h2>Response</h2>${successes.map(({ status, description, content, headers }, index) => {
    const [type, media] = content[0] ?? []
    return html`<details class="response"${index === 0 && html` open`}><summary><span class="status status-ok">${status}</span> ${description}</summary>${type && type !== 'application/json' && html`<p class="field-note"><code>${content.map(([name]) => name).join(', ')}</code></p>`}${media?.schema !== undefined && type === 'application/json' && renderSchema(document, media.schema)}${headers.length > 0 && html`<details class="nested"><summary>Headers</summary><ul class="fields">${headers.map(([name, header]) => renderField(document, { ...fieldOfParameter(document, { ...header, name }), isRequired: false }))}</ul></details>`}</details>`
  })}`
}

function renderErrors({ responses }: Operation): Html {
  const rows = responses.flatMap(({ codes }) => codes.map((code) => ({ code, ...errors[code] })))
  const unique = [...new Map(rows.map((row) => [row.code, row])).values()].sort((a, b) => a.status - b.status)
  if (unique.length === 0) return html``
  return html`<h2>Errors</h2><ul class="codes">${unique.map(({ code, status, title }) => html`<li><span class="status">${status}</span> <a href="/docs/errors/${code}"><code>${code}</code></a> <span>${title}</span></li>`)}</ul>`
}

function renderSamples(document: Json, operation: Operation, highlight: Highlight): Html {
  const response = operation.responses.find(({ status }) => Number(status) < 300)
  const [type, media] = response?.content.find(([name]) => name === 'application/json') ?? []
  const example = media === undefined ? undefined : exampleOfMedia(document, media)
  const title = `${response?.status ?? ''} ${stringOf(type) ?? ''}`.trim()
  return html`${renderCodeGroup(samplesOf(document, operation), highlight)}${example !== undefined && renderCodeGroup([{ language: 'json', code: JSON.stringify(example, null, 2), title: `Response ${title}` }], highlight)}`
}
