"""What table, cage and venue share: messages, the registry, the decider and the ledger."""
