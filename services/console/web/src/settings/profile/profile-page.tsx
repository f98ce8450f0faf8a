import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../session/session.ts'
import { DefinitionList } from '../../ui/data/definition-list.tsx'
import { Id } from '../../ui/data/id.tsx'
import { ThemeChoice } from '../../ui/menu/theme-choice.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { SettingsTabs } from '../settings-tabs.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import { ProfileForm } from './profile-form.tsx'

/** The profile of the signed-in user, the theme of this browser, and the user's invitations. */
export function ProfilePage() {
  const { data: session } = useQuery(sessionQuery)
  if (!session?.authenticated) return null
  const { user } = session
  return (
    <Page title="Settings" isNarrow>
      <SettingsTabs />
      <OwnInvitations />
      <Card title="Profile">
        <ProfileForm user={user} />
      </Card>
      <Card title="Theme" description="For this browser only">
        <ThemeChoice />
      </Card>
      <Card title="Account">
        <DefinitionList
          items={[
            ['Email', user.email],
            ['User id', <Id key="id" value={user.user_id} />],
          ]}
        />
      </Card>
    </Page>
  )
}
