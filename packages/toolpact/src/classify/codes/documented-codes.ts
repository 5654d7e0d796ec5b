import { lookUp, type Reading, tableOf } from '../reading.ts';

/**
 * Reads a code or name that a standard, a runtime or a service documents and whose words alone would say something else, or nothing.
 * All other documented codes are read by their words.
 */
export function readDocumentedCode(code: string): readonly Reading[] {
  return lookUp(codes, code);
}

/**
 * What has one meaning and weight, in the order POSIX, Node, databases, queues, clouds, model providers, the DOM. Clients use ECONNABORTED
 * also where they gave up on time.
 */
// biome-ignore format: one meaning, one row
const codes = tableOf([
  ['bad_response', 41, 'ERR_HTTP2_ERROR'],
  ['bad_response', 80, 'Z_VERSION_ERROR CRC32CheckFailed tool_use_failed'],
  ['budget_exhausted', 74, `
    SQLITE_FULL SQLITE_NOMEM ER_OUTOFMEMORY ER_OUT_OF_RESOURCES ER_RECORD_FILE_FULL balance_insufficient do_not_honor fraudulent
  `],
  ['cancelled', 72, 'EINTR'],
  ['conflict', 72, `
    EALREADY EISCONN ETXTBSY SQLITE_CONSTRAINT_PRIMARYKEY ER_DUP_ENTRY BUSYGROUP BUSYKEY ContainerBeingDeleted InvalidBucketState
    UpdateConditionNotSatisfied idempotency_key_in_use
  `],
  ['conflict', 92, 'InUseAttributeError'],
  ['conflict+', 76, 'SQLITE_BUSY SQLITE_BUSY_SNAPSHOT CONCURRENT_TRANSACTIONS'],
  ['denied', 74, 'safety_violations'],
  ['forbidden', 75, `
    EROFS SQLITE_AUTH SQLITE_PERM ER_OPTION_PREVENTS_STATEMENT security_exception ACCESS_TOKEN_SCOPE_INSUFFICIENT
    AuthorizationProtocolMismatch BlobImmutableDueToPolicy NotAuthorized OptInRequired domainPolicy account_deactivated
  `],
  ['forbidden', 92, 'NoModificationAllowedError SecurityError'],
  ['internal', 50, 'ERR_UNHANDLED_ERROR'],
  ['internal', 80, `
    ERR_FALSY_VALUE_REJECTION ERR_HTTP2_SOCKET_BOUND ERR_HTTP_HEADERS_SENT ERR_HTTP_SOCKET_ASSIGNED ERR_UNHANDLED_REJECTION
  `],
  ['internal', 92, 'InvariantError'],
  ['invalid_input', 72, 'EISDIR ELOOP ENAMETOOLONG ENOTDIR DollarPrefixedFieldName ImmutableField invalid_redirect_uri'],
  ['not_configured', 76, `
    ERR_NO_CRYPTO ERR_NO_ICU ERR_PACKAGE_IMPORT_NOT_DEFINED ERR_PACKAGE_PATH_NOT_EXPORTED ERR_REQUIRE_ESM ERR_UNKNOWN_BUILTIN_MODULE
    CredentialsError MissingRegion
  `],
  ['not_found', 72, 'ENODEV ENXIO SQLITE_CANTOPEN NOGROUP document_missing_exception no_channel'],
  ['not_ready', 72, `
    EDESTRUCTION EINPROGRESS ENOTINITIALIZED EWOULDBLOCK ERR_HTTP2_INVALID_SESSION ERR_STREAM_PUSH_AFTER_EOF
    ERR_STREAM_UNABLE_TO_PIPE POOL_NOCONNECTIONS PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR PROTOCOL_ENQUEUE_AFTER_QUIT
    cluster_manager_not_discovered_exception master_not_discovered_exception no_shard_available_action_exception NOT_CONTROLLER
    NOT_COORDINATOR NOT_LEADER_FOR_PARTITION authorization_pending
  `],
  ['not_ready', 92, 'BrokenCircuitError TransactionInactiveError'],
  ['rate_limited', 74, `
    ER_CON_COUNT_ERROR ER_USER_LIMIT_REACHED circuit_breaking_exception es_rejected_execution_exception BandwidthLimitExceeded
    PriorRequestNotComplete
  `],
  ['timeout', 80, 'ERR_TLS_HANDSHAKE_TIMEOUT MaxTimeMSExpired'],
  ['too_large', 73, `
    EFBIG ENFILE ERR_HTTP2_MAX_PENDING_SETTINGS_ACK ERR_MEMORY_ALLOCATION_FAILED ERR_SOCKET_BUFFER_SIZE Z_MEM_ERROR SQLITE_TOOBIG
    string_above_max_length
  `],
  ['unauthenticated', 75, 'ER_MUST_CHANGE_PASSWORD TokenRefreshRequired consent_required secret_key_required'],
  ['unreachable', 45, 'ECONNABORTED'],
  ['unreachable', 72, `
    EHOSTDOWN ENETDOWN ENETRESET EOF ERR_HTTP2_GOAWAY_SESSION ERR_HTTP2_SESSION_ERROR UND_ERR_INFO ER_NET_READ_ERROR
    ER_SOCKET_UNEXPECTED_CLOSE FailedToSatisfyReadPreference UnknownEndpoint
  `],
  ['unreachable-', 80, 'HOSTNAME_MISMATCH'],
  ['unsupported', 73, `
    EAFNOSUPPORT ENOSYS ENOTSUP EOPNOTSUPP EPROTONOSUPPORT ERR_FEATURE_UNAVAILABLE_ON_PLATFORM ERR_TRACE_EVENTS_UNAVAILABLE method_deprecated
  `],
  ['upstream', 72, 'EIO SQLITE_IOERR MISCONF search_phase_execution_exception ServiceException backendError api_error model_error'],
]);
