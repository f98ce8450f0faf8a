import type { auth, ResponseOf } from '@wp/contracts'
import type { Context } from './context.ts'
import type { SessionRow } from './store/sessions.ts'

/** Returns the session of a browser that is not signed in: the settings that every visitor may know. */
export async function toAnonymousView(context: Pick<Context, 'config' | 'platform'>) {
  return { authenticated: false, ...(await siteView(context)) }
}

/** Returns the session of a signed-in user. */
export async function toSessionView(
  context: Pick<Context, 'config' | 'platform'>,
  session: SessionRow,
  profile: ResponseOf<typeof auth.me>,
) {
  const { user_id, email, name, avatar_url, locale, timezone, workspaces } = profile
  return {
    authenticated: true,
    ...(await siteView(context)),
    user: { user_id, email, name, avatar_url, locale, timezone, workspaces },
    authenticated_at: session.authenticatedAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
  }
}

const siteView = async ({ config, platform }: Pick<Context, 'config' | 'platform'>) => ({
  environment: config.ENVIRONMENT,
  public_base_url: config.PUBLIC_BASE_URL,
  providers: await platform.providers.list(),
})
