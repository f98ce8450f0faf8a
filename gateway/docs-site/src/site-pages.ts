import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { openApiDocument } from '@wp/contracts'
import { errorPages, renderErrorCatalogue, renderJobErrors } from './errors/error-pages.ts'
import { eventPages, renderEventCatalogue } from './event-pages.ts'
import { guidePage } from './guide-page.ts'
import { homePage } from './home-page.ts'
import type { NavGroup } from './layout/navigation.ts'
import type { Highlight } from './markdown/code-group.ts'
import { operationPath, readOperations } from './reference/operation.ts'
import { operationPage } from './reference/operation-page.ts'
import { referencePage, type Surface, surfacePage, surfacesOf } from './reference/surface-pages.ts'
import type { SitePage } from './site-page.ts'

/**
 * The guides, in the order of the navigation. A guide is `docs/guides/<name>.md`, or the README of a package, and
 * served at `/docs/<name>`.
 */
const guideGroups = [
  { label: 'Get started', guides: ['quickstart', 'authentication', 'workspaces', 'sso'] },
  { label: 'Using the API', guides: ['errors', 'pagination', 'idempotency', 'limits', 'versioning'] },
  { label: 'Clients', guides: ['clients/typescript', 'clients/python', 'clients/command-line', 'clients/tools'] },
  { label: 'Products', guides: ['data', 'search', 'forecasting', 'agents', 'mcp'] },
  { label: 'Privacy', guides: ['works-council'] },
  { label: 'Operation', guides: ['self-hosting'] },
  {
    label: 'Webhooks',
    guides: [
      'webhooks/receiving',
      'webhooks/receivers',
      'webhooks/subscriptions',
      'webhooks/local',
      'webhooks/replay',
      'events',
    ],
  },
] as const

const root = join(import.meta.dirname, '../../..')

const readmes: Readonly<Record<string, string>> = {
  'clients/typescript': 'packages/client/README.md',
  'clients/python': 'clients/python/README.md',
  'clients/command-line': 'packages/cli/README.md',
}

/** A page with the navigation beside it. */
export interface PlacedPage {
  page: SitePage
  navigation: readonly NavGroup[]
}

/** Makes every page of the site, in reading order. @param document the OpenAPI document */
export function createPages(document: ReturnType<typeof openApiDocument>, highlight: Highlight): PlacedPage[] {
  const operations = readOperations(document)
  const surfaces = surfacesOf(document, operations)
  const guides = createGuides(highlight)
  const guideNavigation = navigationOf(guides)
  const place = (page: SitePage, navigation = guideNavigation): PlacedPage => ({ page, navigation })
  return [
    place(homePage(highlight)),
    ...guides.flatMap(({ pages }) => pages).map((page) => place(page)),
    place(changelogPage(highlight)),
    place(referencePage(surfaces), referenceNavigation(surfaces)),
    ...surfaces.flatMap((surface) =>
      [
        surfacePage(surface),
        ...surface.operations.map((operation) => operationPage(document, operation, highlight)),
      ].map((page) => place(page, referenceNavigation(surfaces, surface))),
    ),
    ...eventPages(document, highlight).map((page) => place(page)),
    ...errorPages(operations, highlight).map((page) => place(page)),
  ]
}

function createGuides(highlight: Highlight): { label: string; pages: SitePage[] }[] {
  const insertions = {
    'error-codes': renderErrorCatalogue(),
    'job-error-codes': renderJobErrors(),
    'event-kinds': renderEventCatalogue(),
  }
  return guideGroups.map(({ label, guides }) => ({
    label,
    pages: guides.map((name) => {
      const text = withoutRepositoryLinks(readFileSync(join(root, readmes[name] ?? `docs/guides/${name}.md`), 'utf8'))
      return guidePage({ path: `/docs/${name}`, section: label, text }, highlight, insertions)
    }),
  }))
}

function changelogPage(highlight: Highlight): SitePage {
  const text = readChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))
  const page = guidePage({ path: '/docs/changelog', section: 'Reference', text }, highlight)
  return { ...page, entries: page.entries.slice(0, 1) }
}

const navigationOf = (guides: readonly { label: string; pages: readonly SitePage[] }[]): NavGroup[] => [
  ...guides.map(({ label, pages }) => ({ label, links: pages.map(({ path, title }) => ({ path, label: title })) })),
  {
    label: 'Reference',
    links: [
      { path: '/docs/api', label: 'API reference' },
      { path: '/docs/changelog', label: 'Changelog' },
    ],
  },
]

const referenceNavigation = (surfaces: readonly Surface[], current?: Surface): NavGroup[] => [
  { label: 'Documentation', links: [{ path: '/docs', label: 'Guides' }] },
  {
    label: 'API reference',
    links: [{ path: '/docs/api', label: 'Overview' }, ...surfaces.map(({ path, title }) => ({ path, label: title }))],
    ...(current && {
      nested: {
        path: current.path,
        links: current.operations.map((operation) => ({
          path: operationPath(operation),
          label: operation.summary,
          method: operation.method,
        })),
      },
    }),
  },
  {
    label: 'More',
    links: [
      { path: '/docs/events', label: 'Event kinds' },
      { path: '/docs/errors', label: 'Errors' },
    ],
  },
]

/** Leaves the text of links into the repository, which the site does not show. */
const withoutRepositoryLinks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')

/** Links of the changelog lead into the repository, which the site does not show: their text stays. */
const readChangelog = (text: string): string =>
  text
    .replaceAll(/ ?\(\[(?:guide|README)\]\([^)]*\)\)/g, '')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)([^)]*)\)/g, (_link, label: string, target: string) =>
      target === 'docs/versioning.md' ? '[Versioning](/docs/versioning)' : label,
    )
