import { Skeleton } from '../../ui/message/skeleton.tsx'
import { Card } from '../../ui/page/page.tsx'
import styles from './agents.module.css'

const widths = ['40%', '85%', '70%', '90%', '55%'] as const

/** Stands for the content of a page until it has arrived. */
export const Loading = () => (
  <Card>
    <div className={styles.loading} role="status" aria-label="Loading">
      {widths.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  </Card>
)
