/** An event that marks an invoice as paid. Only Stripe can sign one, so the access tests record none. */
export const stripeEventExample = {
  request: {
    contentType: 'application/json',
    body: {
      id: 'evt_1RkT3L2eZvKYlo2C',
      type: 'checkout.session.completed',
      data: {
        object: {
          id: 'cs_test_a1b2c3',
          client_reference_id: 'bill_01h455vb4pex5vsknk084sn02q',
          payment_status: 'paid',
          amount_total: 5831,
          currency: 'eur',
        },
      },
    },
  },
  response: { status: 200, contentType: 'application/json', body: { received: true } },
}
