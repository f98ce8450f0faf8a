import { Button } from '../ui/button/button.tsx'

/** Shown for an address that no page has. */
export const NotFoundPage = () => (
  <div
    style={{ display: 'grid', placeItems: 'center', minHeight: '60dvh', gap: 'var(--space-3)', textAlign: 'center' }}
  >
    <div>
      <h1>This page does not exist</h1>
      <p>The address may be mistyped, or the resource was deleted.</p>
      <p style={{ marginTop: 'var(--space-4)' }}>
        <Button onClick={() => history.back()}>Go back</Button>
      </p>
    </div>
  </div>
)
