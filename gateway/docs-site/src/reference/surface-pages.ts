import { type Html, html } from '../html.ts'
import { renderInline } from '../markdown/render-markdown.ts'
import type { SitePage } from '../site-page.ts'
import { arrayOf, type Json, objectOf, stringOf } from './json.ts'
import { type Operation, operationPath, surfaceTitle } from './operation.ts'

/** A surface of the API with its operations. */
export interface Surface {
  tag: string
  path: string
  title: string
  description: string
  operations: readonly Operation[]
}

/** Groups operations by surface, in the order of the tags of the document. */
export function surfacesOf(document: Json, operations: readonly Operation[]): Surface[] {
  const descriptions = new Map(
    arrayOf(document.tags).map((tag) => [stringOf(objectOf(tag).name), stringOf(objectOf(tag).description)]),
  )
  return [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, members]) => ({
    tag,
    path: `/docs/api/${tag}`,
    title: surfaceTitle(tag),
    description: descriptions.get(tag) ?? '',
    operations: members,
  }))
}

/** Makes the page of a surface: its operations. */
export const surfacePage = ({ path, title, description, operations }: Surface): SitePage => ({
  path,
  title,
  description,
  section: 'API reference',
  body: html`<p class="lead">${renderInline(`${description}.`)}</p>${renderOperations(operations)}`,
  entries: [{ address: path, title, page: '', section: 'API reference', text: description }],
})

/** Makes the first page of the reference. */
export const referencePage = (surfaces: readonly Surface[]): SitePage => ({
  path: '/docs/api',
  title: 'API reference',
  description: 'Every operation of the API, with its parameters, responses, errors and examples.',
  section: 'Reference',
  body: html`<p class="lead">Every operation with its parameters, responses, errors and examples in curl, TypeScript and Python. The same description is available for tools as <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p><div class="cards">${surfaces.map(
    ({ path, title, description, operations }) =>
      html`<a class="card" href="${path}"><strong>${title}</strong><span>${description}</span><small>${operations.length} operations</small></a>`,
  )}</div><h2 id="conventions">Conventions</h2><p>A successful response is <code>{"success": true, "data": …}</code>; lists have <code>pagination</code> beside it (<a href="/docs/pagination">pagination</a>). An error is a problem of RFC 9457 with a stable <code>code</code> (<a href="/docs/errors">errors</a>). Times are RFC 3339 in UTC with milliseconds. Identifiers have a prefix that names their kind, such as <code>src_</code>; treat them as opaque text.</p><p>Clients ignore fields and enumeration values that they do not know (<a href="/docs/versioning">versioning</a>).</p>`,
  headings: [],
  entries: [
    {
      address: '/docs/api',
      title: 'API reference',
      page: '',
      section: 'Reference',
      text: 'operations endpoints OpenAPI',
    },
  ],
})

const renderOperations = (operations: readonly Operation[]): Html =>
  html`<ul class="operations">${operations.map(
    (operation) =>
      html`<li><a href="${operationPath(operation)}"><span class="method method-${operation.method.toLowerCase()}">${operation.method}</span><span class="operation-text"><strong>${operation.summary}</strong><code>${operation.path}</code></span></a></li>`,
  )}</ul>`
