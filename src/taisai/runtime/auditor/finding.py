"""What the auditor says when something is wrong."""


class AuditError(Exception):
    """The books, a settlement or the order of things is not as the rules have it; says how."""
