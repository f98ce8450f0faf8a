import { Link } from '@tanstack/react-router'
import { useWorkspaceId } from '../session/workspace-context.tsx'
import { Icon } from '../ui/button/icon.tsx'
import { Stack } from '../ui/page/page.tsx'
import styles from './shared/data.module.css'
import { providerWords } from './shared/source-words.ts'

const connected = ['http', 'postgres', 's3'] as const

/** The providers that the platform reads on a schedule. */
export function ProviderChoice() {
  const workspaceId = useWorkspaceId()
  return (
    <Stack>
      <h2>Or connect a source</h2>
      <div className={styles.providers}>
        {connected.map((provider) => {
          const { label, description, icon } = providerWords[provider]
          return (
            <Link
              key={provider}
              to="/$workspaceId/data/new"
              params={{ workspaceId }}
              search={{ provider }}
              className={styles.provider}
            >
              <Icon name={icon} size={20} />
              <strong>{label}</strong>
              <span>{description}</span>
            </Link>
          )
        })}
      </div>
      <p>
        Uploading by the API, with field names of your own?{' '}
        <Link to="/$workspaceId/data/new" params={{ workspaceId }} search={{ provider: 'upload' }}>
          Create an empty upload source
        </Link>
      </p>
    </Stack>
  )
}
