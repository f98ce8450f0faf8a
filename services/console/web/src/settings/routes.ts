import { auditOutcomes, exportStates } from '../audit/audit-words.ts'
import { workspacePage } from '../routing/root-routes.tsx'
import { invoiceStatuses, usageDimensions, usageMeters, usageRanges, usageSteps } from '../usage/choices.ts'

const auditFilters = {
  actor: 'text',
  action: 'text',
  target: 'text',
  since: 'text',
  until: 'text',
  cursor: 'text',
  outcome: auditOutcomes,
} as const

/** The pages of the settings: the workspace, its members, notifications, audit log, usage and health. */
export const settingsRoutes = [
  workspacePage('settings', () => import('./workspace/workspace-settings-page.tsx'), 'WorkspaceSettingsPage'),
  workspacePage('settings/deletion', () => import('./workspace/deletion-page.tsx'), 'DeletionPage'),
  workspacePage('settings/profile', () => import('./profile-page.tsx'), 'ProfilePage'),
  workspacePage('settings/sign-in', () => import('./company/company-sign-in-page.tsx'), 'CompanySignInPage'),
  workspacePage('settings/sessions', () => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
  workspacePage('members', () => import('../members/members-page.tsx'), 'MembersPage', {
    cursor: 'text',
    role: 'text',
    search: 'text',
    invite: 'flag',
  }),
  workspacePage('members/roles', () => import('../members/roles/roles-page.tsx'), 'RolesPage', { create: 'flag' }),
  workspacePage('members/roles/$roleId', () => import('../members/roles/role-page.tsx'), 'RolePage'),
  workspacePage('notifications', () => import('../notifications/feed-page.tsx'), 'FeedPage', {
    cursor: 'text',
    unread: 'flag',
  }),
  workspacePage('notifications/settings', () => import('../notifications/settings/settings-page.tsx'), 'SettingsPage', {
    level: ['user', 'workspace'],
  }),
  workspacePage('audit', () => import('../audit/logs-page.tsx'), 'LogsPage', auditFilters),
  workspacePage('audit/verify', () => import('../audit/verify/verify-page.tsx'), 'VerifyPage'),
  workspacePage('audit/exports', () => import('../audit/exports/exports-page.tsx'), 'ExportsPage', {
    ...auditFilters,
    status: exportStates,
    create: 'flag',
  }),
  workspacePage('audit/exports/$docId', () => import('../audit/exports/export-page.tsx'), 'ExportPage'),
  workspacePage('audit/$logId', () => import('../audit/log-page.tsx'), 'LogPage'),
  workspacePage('usage', () => import('../usage/usage-page.tsx'), 'UsagePage', {
    meter: usageMeters,
    range: usageRanges,
    step: usageSteps,
    by: usageDimensions,
  }),
  workspacePage('usage/plan', () => import('../usage/plan/plan-page.tsx'), 'PlanPage', { change: 'text' }),
  workspacePage('usage/invoices', () => import('../usage/invoices/invoices-page.tsx'), 'InvoicesPage', {
    cursor: 'text',
    status: invoiceStatuses,
  }),
  workspacePage('usage/invoices/$invoiceId', () => import('../usage/invoices/invoice-page.tsx'), 'InvoicePage'),
  workspacePage('health', () => import('../health/health-page.tsx'), 'HealthPage'),
] as const
