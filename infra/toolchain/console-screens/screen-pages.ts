import { consolePages, type FilledWorkspace } from '@wp/testkit/chromium-fleet'

/** The user of a page: not signed in, the owner of the filled workspace, or the owner of an empty one. */
export type Viewer = 'anonymous' | 'owner' | 'newcomer'

export interface ScreenPage {
  /** The name of its screenshots. */
  name: string
  /** The part of the console that `--only` selects. */
  area: string
  address: string
  viewer: Viewer
  /** See `waitForContent`. */
  skeletons?: 'kept'
}

/** The pages of an empty workspace that explain how to begin. */
const emptyPages = [
  '',
  'data',
  'webhooks',
  'webhooks/deliveries',
  'webhooks/destinations',
  'agents',
  'forecasts',
  'integrations',
  'audit',
  'usage',
]

/**
 * Returns every page of the console: those of the filled workspace, some of an empty one, and those outside of both.
 */
export function listScreenPages(
  ids: FilledWorkspace,
  { workspaceId, emptyWorkspaceId }: { workspaceId: string; emptyWorkspaceId: string },
): ScreenPage[] {
  const address = (workspace: string, path: string) => `/console/${workspace}${path === '' ? '' : `/${path}`}`
  return [
    { name: 'sign-in', area: 'sign-in', address: '/console/sign-in', viewer: 'anonymous' },
    { name: 'design', area: 'design', address: '/console/design', viewer: 'anonymous', skeletons: 'kept' },
    { name: 'not-found', area: 'not-found', address: address(workspaceId, 'nothing/here'), viewer: 'owner' },
    ...consolePages(ids).map(({ name, path }): ScreenPage => {
      const area = path.split(/[/?]/, 1)[0] || 'home'
      return { name, area, address: address(workspaceId, path), viewer: 'owner' }
    }),
    ...emptyPages.map((path): ScreenPage => {
      const name = `empty-${path.replaceAll('/', '-') || 'home'}`
      return { name, area: 'empty', address: address(emptyWorkspaceId, path), viewer: 'newcomer' }
    }),
  ]
}
