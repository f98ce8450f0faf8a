import type { LinkProps } from '@tanstack/react-router'
import { usePortal } from '../session/portal-context.ts'
import { useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { PageTabs } from '../ui/menu/tabs.tsx'

/** A tab: its label, its page and the scope that it needs, if it needs one. */
type Tab = readonly [label: string, to: Path, scope?: Parameters<ReturnType<typeof useCan>>[0]]
type Path = NonNullable<LinkProps['to']>

/** Pages about the whole workspace, which the portal does not show. */
const ofWorkspace: readonly Path[] = ['/$workspaceId/webhooks/deliveries', '/$workspaceId/webhooks/destinations']

const tabsOf = {
  Assistants: [
    ['Assistants', '/$workspaceId/agents'],
    ['Blueprints', '/$workspaceId/agents/blueprints'],
    ['Test sets', '/$workspaceId/agents/evaluation-sets'],
    ['Runs', '/$workspaceId/agents/runs'],
    ['Conversations', '/$workspaceId/agents/conversations'],
    ['Budget', '/$workspaceId/agents/budget'],
  ],
  'Audit log': [
    ['Records', '/$workspaceId/audit'],
    ['Verify', '/$workspaceId/audit/verify'],
    ['Exports', '/$workspaceId/audit/exports', 'audit:export'],
  ],
  Developer: [
    ['Keys', '/$workspaceId/developer'],
    ['MCP', '/$workspaceId/developer/mcp', 'mcp:use'],
    ['Requests', '/$workspaceId/developer/requests', 'audit:read'],
  ],
  Notifications: [
    ['Feed', '/$workspaceId/notifications'],
    ['Settings', '/$workspaceId/notifications/settings'],
  ],
  Usage: [
    ['Usage', '/$workspaceId/usage'],
    ['Plan', '/$workspaceId/usage/plan'],
    ['Invoices', '/$workspaceId/usage/invoices'],
  ],
  Webhooks: [
    ['Subscriptions', '/$workspaceId/webhooks'],
    ['Deliveries', '/$workspaceId/webhooks/deliveries'],
    ['Destinations', '/$workspaceId/webhooks/destinations'],
    ['Event catalogue', '/$workspaceId/webhooks/events'],
  ],
} as const satisfies Record<string, readonly Tab[]>

/** The tabs of an area that the user may see. */
export function AreaTabs({ area }: { area: keyof typeof tabsOf }) {
  const params = { workspaceId: useWorkspaceId() }
  const can = useCan()
  const isPortal = usePortal() !== undefined
  const tabs: readonly Tab[] = tabsOf[area]
  return (
    <PageTabs
      label={area}
      tabs={tabs
        .filter(([, to, scope]) => (scope === undefined || can(scope)) && !(isPortal && ofWorkspace.includes(to)))
        .map(([label, to]) => ({ label, link: { to, params } }))}
    />
  )
}
