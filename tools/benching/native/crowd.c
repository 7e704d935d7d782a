/* A crowd at a WebSocket server, in one thread that costs the machine little. Loopback only.
 *
 * crowd PORT CLIENTS TOKENS PATH HEADER...     each HEADER and PATH may hold {TOKEN}: the client's line of the file
 *     where a HEADER holds {TICKET}, each client first asks for one with the other headers, on the same connection
 *
 * Says "ready SECONDS" once everybody is in (and, with -g before PORT, greeted: has got a frame of type "you"), then
 * does what standard input asks for, one line of JSON for each:
 *   listen S          read for S seconds
 *   probe S           the same, while one more socket asks for an echo of 1 kB every 7 ms
 *   say S TEXT        send TEXT from every client over S seconds ({I}: the client's number), then read on until each has
 *                     its answer (receipt, staged, refused or pong), for 10 s at most
 *   storm K S W       cut off the first K, let them come back over S seconds, wait until all are greeted, W s at most
 * Every answer has: frames, bytes, kinds {type: [frames, bytes, longest]}, when {type: [first, last]} in UTC
 * milliseconds, last_ms (for each message with "ts":<ns> that everybody got, how long it took to the last one), and of
 * its own echo_ms, or back_ms and tries, or what `say` was answered: answered, answer_ms [p50, p99, most] and took_s. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTING, ASKING, SHAKING, OPEN, GONE };
enum { HEAD = 160, SOURCES = 8, AT_ONCE = 64, KINDS = 40, GROUPS = 4096, ECHOES = 100000, BATCH = 16 };

typedef struct {
    int fd, state, greeted;
    uint8_t header[14], have, need, opcode;
    uint64_t left, length;
    uint32_t kept;
    char head[HEAD];
    char *answer; /* of the handshake, while it comes */
    int answered;
    unsigned epoch, seq; /* of the last public event */
    double back_at, asked_at;
} Client;

static Client *clients;
static int many, poll_fd, port, is_greeting, in, greeted, tries;
static const char *path, **headers;
static int header_count;
static char **tokens;
static char ticket[128];
static int need_ticket;
static struct { char name[24]; uint64_t frames, bytes, longest; double first_ms, last_ms; } kinds[KINDS];
static struct { uint64_t ts, last; int count; } groups[GROUPS];
static int kind_count, group_count;
static uint64_t frames, bytes;
static float echoes[ECHOES];
static int echo_count;
static float *waits; /* of those who asked, until their answer */
static int wait_count, asking;
static double last_answer;
static int probe_at = -1; /* set while client number `many` asks for echoes */
static double probe_sent;

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double now_s(void) { return now_ns() / 1e9; }

static void die(const char *why, const char *detail) {
    fprintf(stderr, "crowd: %s %.300s\n", why, detail ? detail : "");
    exit(1);
}

static void fill(char *out, size_t room, const char *text, int number) {
    char digits[16];
    size_t used = 0;
    sprintf(digits, "%d", number);
    while (*text && used + 1 < room) {
        const char *word = NULL;
        if (!strncmp(text, "{TOKEN}", 7)) word = tokens[number], text += 7;
        else if (!strncmp(text, "{TICKET}", 8)) word = ticket, text += 8;
        else if (!strncmp(text, "{I}", 3)) word = digits, text += 3;
        if (word) {
            size_t length = strlen(word);
            if (used + length + 1 >= room) die("too long:", word);
            memcpy(out + used, word, length);
            used += length;
        } else out[used++] = *text++;
    }
    out[used] = 0;
}

static void send_frame(Client *client, int opcode, const char *text, size_t length) {
    uint8_t frame[4096] = {(uint8_t)(0x80 | opcode)};
    size_t used = 2;
    if (length + 16 > sizeof frame) die("too long a frame", NULL);
    if (length < 126) frame[1] = (uint8_t)(0x80 | length);
    else frame[1] = 0x80 | 126, frame[2] = (uint8_t)(length >> 8), frame[3] = (uint8_t)length, used = 4;
    used += 4; /* a mask of zeros */
    memcpy(frame + used, text, length);
    if (send(client->fd, frame, used + length, MSG_NOSIGNAL) != (ssize_t)(used + length)) fprintf(stderr, "short send\n");
}

static double utc_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int is_answer(const char *head) {
    static const char *words[] = {"receipt\"", "staged\"", "refused\"", "pong\""};
    for (int i = 0; i < 4; i++)
        if (!strncmp(head, "{\"type\":\"", 9) && !strncmp(head + 9, words[i], strlen(words[i]))) return 1;
    return 0;
}

static void count_kind(const char *head, uint64_t length) {
    if (strncmp(head, "{\"type\":\"", 9)) return;
    size_t size = strcspn(head + 9, "\"");
    if (size >= sizeof kinds[0].name) return;
    int i = 0;
    while (i < kind_count && (strncmp(kinds[i].name, head + 9, size) || kinds[i].name[size])) i++;
    if (i == KINDS) return;
    if (i == kind_count) memcpy(kinds[kind_count++].name, head + 9, size);
    kinds[i].frames++;
    kinds[i].bytes += length;
    if (length > kinds[i].longest) kinds[i].longest = length;
    kinds[i].last_ms = utc_ms();
    if (!kinds[i].first_ms) kinds[i].first_ms = kinds[i].last_ms;
}

static void count_group(const char *head) {
    const char *found = strstr(head, "\"ts\":");
    uint64_t ts = found ? strtoull(found + 5, NULL, 10) : 0;
    if (!ts) return;
    int i = group_count - 1;
    while (i >= 0 && groups[i].ts != ts) i--;
    if (i < 0 && group_count < GROUPS) groups[i = group_count++].ts = ts;
    if (i >= 0) groups[i].count++, groups[i].last = now_ns();
}

static void take_frame(Client *client) {
    char *head = client->head;
    head[client->kept] = 0;
    if (client->opcode == 9) {
        send_frame(client, 10, head, client->kept < 125 ? client->kept : 125);
        return;
    }
    if (client->opcode == 8 || client->opcode > 2) return;
    if (client - clients == many) {
        if (strstr(head, "\"pong\"") && probe_sent > 0) {
            if (echo_count < ECHOES) echoes[echo_count++] = (float)((now_s() - probe_sent) * 1e3);
            probe_sent = 0;
        }
        return;
    }
    frames++;
    bytes += client->length;
    count_kind(head, client->length);
    if (client->asked_at > 0 && is_answer(head)) {
        last_answer = now_s();
        waits[wait_count++] = (float)((last_answer - client->asked_at) * 1e3);
        client->asked_at = 0, asking--;
    }
    const char *epoch = strstr(head, "\"epoch\":"), *seq = epoch ? strstr(epoch, "\"seq\":") : NULL;
    if (seq) client->epoch = (unsigned)atol(epoch + 8), client->seq = (unsigned)atol(seq + 6);
    else count_group(head);
    if (!client->greeted && !strncmp(head, "{\"type\":\"you\"", 13)) {
        client->greeted = 1;
        client->back_at = now_s();
        greeted++;
    }
}

static void feed(Client *client, const uint8_t *data, size_t size) {
    while (size) {
        if (client->need) {
            client->header[client->have++] = *data++, size--;
            int length = client->header[1] & 127;
            if (client->have == 2) client->need = (uint8_t)(2 + (length == 126 ? 2 : length == 127 ? 8 : 0));
            if (client->have < 2 || client->have < client->need) continue;
            client->length = (uint64_t)length;
            if (length >= 126) {
                client->length = 0;
                for (int i = 2; i < client->need; i++) client->length = client->length << 8 | client->header[i];
            }
            client->left = client->length, client->kept = 0, client->need = 0;
            client->opcode = client->header[0] & 15;
        } else {
            size_t part = size < client->left ? size : (size_t)client->left;
            size_t room = HEAD - 1 - client->kept, keep = part < room ? part : room;
            memcpy(client->head + client->kept, data, keep);
            client->kept += (uint32_t)keep, client->left -= part, data += part, size -= part;
        }
        if (!client->need && !client->left) {
            take_frame(client);
            client->have = 0, client->need = 2;
        }
    }
}

static void connect_one(int number) {
    Client *client = clients + number;
    int one = 1;
    client->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (client->fd < 0) die("socket:", strerror(errno));
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(client->fd, IPPROTO_IP, 24 /* IP_BIND_ADDRESS_NO_PORT */, &one, sizeof one);
    char source[32];
    sprintf(source, "127.0.0.%d", 2 + number % SOURCES);
    struct sockaddr_in from = {.sin_family = AF_INET}, to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, source, &from.sin_addr);
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    if (bind(client->fd, (void *)&from, sizeof from)) die("bind:", strerror(errno));
    if (connect(client->fd, (void *)&to, sizeof to) && errno != EINPROGRESS) die("connect:", strerror(errno));
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.u32 = (uint32_t)number};
    epoll_ctl(poll_fd, EPOLL_CTL_ADD, client->fd, &event);
    client->state = CONNECTING, client->greeted = 0, client->have = 0, client->need = 2;
    client->answer = calloc(1, 4096), client->answered = 0;
    tries++;
}

static int with_headers(char *request, int used, size_t room, int number, int shaking) {
    char filled[1024];
    for (int i = 0; i < header_count; i++) {
        if (!shaking && strstr(headers[i], "{TICKET}")) continue;
        fill(filled, sizeof filled, headers[i], number);
        used += snprintf(request + used, room - (size_t)used, "%s\r\n", filled);
    }
    return used + snprintf(request + used, room - (size_t)used, "\r\n");
}

static void hand_in(int number, const char *request, int size, int state) {
    Client *client = clients + number;
    if (send(client->fd, request, (size_t)size, MSG_NOSIGNAL) != size) die("handshake:", strerror(errno));
    client->state = state;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)number};
    epoll_ctl(poll_fd, EPOLL_CTL_MOD, client->fd, &event);
}

static void ask_ticket(int number) {
    char request[4096];
    int used = snprintf(request, sizeof request,
                        "POST /api/ticket HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
                        "Content-Length: 0\r\n", port, port);
    hand_in(number, request, with_headers(request, used, sizeof request, number, 0), ASKING);
}

static void shake(int number) {
    Client *client = clients + number;
    char filled[1024], request[4096];
    fill(filled, sizeof filled, path, number);
    int used = snprintf(request, sizeof request, "GET %s", filled);
    if (client->epoch)
        used += snprintf(request + used, sizeof request - (size_t)used, "%cepoch=%u&seq=%u", strchr(filled, '?') ? '&' : '?',
                         client->epoch, client->seq);
    used += snprintf(request + used, sizeof request - (size_t)used,
                     " HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                     "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n",
                     port, port);
    hand_in(number, request, with_headers(request, used, sizeof request, number, 1), SHAKING);
}

/* Once the answer is there: the handshake, with the ticket in it. */
static void take_ticket(Client *client) {
    const char *body = strstr(client->answer, "\r\n\r\n"), *found = body ? strstr(body, "\"ticket\":\"") : NULL;
    if (body && strncmp(client->answer, "HTTP/1.1 200", 12)) die("no ticket:", client->answer);
    if (!found || !strchr(body, '}')) return;
    size_t size = strcspn(found += 10, "\"");
    if (size >= sizeof ticket) die("too long a ticket:", found);
    memcpy(ticket, found, size);
    ticket[size] = 0, client->answer[client->answered = 0] = 0;
    shake((int)(client - clients));
}

static void leave(Client *client) {
    close(client->fd);
    free(client->answer);
    if (client->greeted) greeted--;
    if (client->state == OPEN) in--;
    client->answer = NULL, client->state = GONE, client->greeted = 0;
}

static void read_all(Client *client) {
    static uint8_t data[262144];
    for (;;) {
        ssize_t got = recv(client->fd, data, sizeof data, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (got <= 0) {
            fprintf(stderr, "crowd: client %d was let go\n", (int)(client - clients));
            leave(client);
            return;
        }
        if (client->state == OPEN) {
            feed(client, data, (size_t)got);
        } else {
            int keep = got < 4095 - client->answered ? (int)got : 4095 - client->answered;
            memcpy(client->answer + client->answered, data, (size_t)keep);
            client->answer[client->answered += keep] = 0;
            char *end = strstr(client->answer, "\r\n\r\n");
            if (client->state == ASKING) {
                take_ticket(client);
            } else if (end) {
                if (strncmp(client->answer, "HTTP/1.1 101", 12)) die("refused:", client->answer);
                size_t used = (size_t)(end + 4 - client->answer) - (size_t)(client->answered - keep);
                client->state = OPEN, in++;
                free(client->answer);
                client->answer = NULL;
                feed(client, data + used, (size_t)got - used);
            }
        }
        if (got < (ssize_t)sizeof data) return;
    }
}

static void probe_now(void) {
    static char text[1025];
    static double due;
    Client *client = clients + probe_at;
    read_all(client);
    double now = now_s();
    if (client->state != OPEN) die("the probe was let go", NULL);
    if (probe_sent == 0 && now >= due) {
        if (!text[0]) sprintf(text, "%-1024s", "{\"type\":\"ping\",\"request_id\":\"probe\",\"client_ms\":0}");
        probe_sent = now, due = now + 0.007;
        send_frame(client, 1, text, 1024);
    }
}

static void turn(int wait_ms) {
    struct epoll_event events[BATCH];
    int ready = epoll_wait(poll_fd, events, BATCH, probe_at >= 0 && wait_ms > 1 ? 1 : wait_ms);
    for (int i = 0; i < ready; i++) {
        int number = (int)events[i].data.u32;
        Client *client = clients + number;
        if (client->state == CONNECTING && events[i].events & (EPOLLERR | EPOLLHUP)) leave(client);
        else if (client->state == CONNECTING && events[i].events & EPOLLOUT) need_ticket ? ask_ticket(number) : shake(number);
        else if (client->state != GONE) read_all(client);
    }
    if (probe_at >= 0) probe_now();
}

static void until(double end_s) {
    double left;
    while ((left = end_s - now_s()) > 0) turn((int)(left * 1e3) + 1);
}

/* Let clients from..to-1 in, over spread_s or as fast as they are taken; answers whether all were in time. */
static int enter(int from, int to, double spread_s, double most_s) {
    double began = now_s();
    int wanted = in + to - from, wanted_greeted = greeted + to - from, next = from, again = from;
    for (;;) {
        double now = now_s();
        int may = spread_s > 0 ? from + (int)((to - from) * (now - began) / spread_s) : next + AT_ONCE - (next - from - (in - (wanted - (to - from))));
        while (next < to && next < may) connect_one(next++);
        if (in >= wanted && (!is_greeting || greeted >= wanted_greeted)) return 1;
        if (now - began > most_s) return 0;
        if (next == to) { /* who was let go meanwhile tries again */
            if (again >= to) again = from;
            for (int i = 0; i < 64 && again < to; i++, again++)
                if (clients[again].state == GONE) connect_one(again);
        }
        turn(spread_s > 0 ? 1 : 5);
    }
}

static void forget(void) {
    frames = bytes = 0;
    kind_count = group_count = echo_count = tries = 0;
    memset(kinds, 0, sizeof kinds);
    memset(groups, 0, sizeof groups);
}

static void answer(const char *more) {
    printf("{\"frames\":%llu,\"bytes\":%llu,\"kinds\":{", (unsigned long long)frames, (unsigned long long)bytes);
    for (int i = 0; i < kind_count; i++)
        printf("%s\"%s\":[%llu,%llu,%llu]", i ? "," : "", kinds[i].name, (unsigned long long)kinds[i].frames,
               (unsigned long long)kinds[i].bytes, (unsigned long long)kinds[i].longest);
    printf("},\"when\":{");
    for (int i = 0; i < kind_count; i++)
        printf("%s\"%s\":[%.3f,%.3f]", i ? "," : "", kinds[i].name, kinds[i].first_ms, kinds[i].last_ms);
    printf("},\"last_ms\":[");
    int said = 0;
    for (int i = 0; i < group_count; i++)
        if (groups[i].count == many) printf("%s%.3f", said++ ? "," : "", (groups[i].last - groups[i].ts) / 1e6);
    printf("]%s}\n", more);
    fflush(stdout);
}

static void do_probe(double seconds) {
    is_greeting = 0;
    if (!enter(many, many + 1, 0, 10)) die("the probe is not let in", NULL);
    is_greeting = 1;
    probe_at = many;
    until(now_s() + 0.5);
    forget();
    until(now_s() + seconds);
    probe_at = -1;
    char *text = malloc((size_t)echo_count * 12 + 32), *end = text + sprintf(text, ",\"echo_ms\":[");
    for (int i = 0; i < echo_count; i++) end += sprintf(end, "%s%.3f", i ? "," : "", echoes[i]);
    strcpy(end, "]");
    answer(text);
    free(text);
    leave(clients + many);
}

static int by_size(const void *one, const void *other) {
    float left = *(const float *)one, right = *(const float *)other;
    return (left > right) - (left < right);
}

static void do_say(double seconds, const char *text) {
    char filled[2048], more[200];
    double began = now_s(), last_s;
    wait_count = asking = 0, last_answer = began;
    for (int i = 0; i < many; i++) clients[i].asked_at = 0;
    for (int next = 0; next < many;) {
        int may = seconds > 0 ? (int)(many * (now_s() - began) / seconds) : many;
        for (int burst = 0; next < may && next < many && burst < 64; burst++, next++) {
            fill(filled, sizeof filled, text, next);
            if (clients[next].state == OPEN) {
                clients[next].asked_at = now_s(), asking++;
                send_frame(clients + next, 1, filled, strlen(filled));
            }
        }
        turn(next < may ? 0 : 1);
    }
    for (last_s = now_s() + 10; asking && now_s() < last_s;) turn(5);
    qsort(waits, (size_t)wait_count, sizeof *waits, by_size);
    if (!wait_count) waits[wait_count++] = 0;
    sprintf(more, ",\"answered\":%d,\"unanswered\":%d,\"answer_ms\":[%.3f,%.3f,%.3f],\"took_s\":%.4f", wait_count, asking,
            waits[wait_count / 2], waits[(int)(wait_count * 0.99)], waits[wait_count - 1], last_answer - began);
    answer(more);
}

static void do_storm(int cut, double spread_s, double most_s) {
    char more[160];
    double began = now_s();
    for (int i = 0; i < cut; i++) leave(clients + i);
    int all = enter(0, cut, spread_s, most_s);
    double last = began;
    for (int i = 0; i < cut; i++)
        if (clients[i].back_at > last) last = clients[i].back_at;
    sprintf(more, ",\"all_back\":%s,\"back_s\":%.3f,\"tries\":%d", all ? "true" : "false", last - began, tries);
    answer(more);
}

int main(int words, char **word) {
    if (words > 1 && !strcmp(word[1], "-g")) is_greeting = 1, word++, words--;
    if (words < 5) die("usage: crowd [-g] PORT CLIENTS TOKENS PATH HEADER...", NULL);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    port = atoi(word[1]), many = atoi(word[2]), path = word[4];
    headers = (const char **)word + 5, header_count = words - 5;
    for (int i = 0; i < header_count; i++) need_ticket |= strstr(headers[i], "{TICKET}") != NULL;
    clients = calloc((size_t)many + 1, sizeof *clients);
    tokens = calloc((size_t)many + 1, sizeof *tokens);
    waits = calloc((size_t)many + 1, sizeof *waits);
    for (int i = 0; i <= many; i++) clients[i].state = GONE;
    FILE *file = fopen(word[3], "r");
    if (!file) die("no file of tokens:", word[3]);
    char *line = NULL;
    size_t room = 0;
    for (int i = 0; i <= many && getline(&line, &room, file) > 0; i++) {
        line[strcspn(line, "\r\n")] = 0;
        tokens[i] = strdup(line);
    }
    if (!tokens[many]) die("too few tokens: one more than clients", NULL);
    poll_fd = epoll_create1(0);
    double began = now_s();
    if (!enter(0, many, 0, 60)) die("not everybody came in", NULL);
    printf("ready %.3f\n", now_s() - began);
    fflush(stdout);
    struct epoll_event asked = {.events = EPOLLIN, .data.u32 = 0};
    int input = epoll_create1(0);
    epoll_ctl(input, EPOLL_CTL_ADD, 0, &asked);
    for (;;) {
        turn(1);
        if (epoll_wait(input, &asked, 1, 0) < 1) continue;
        if (getline(&line, &room, stdin) < 0) return 0;
        line[strcspn(line, "\r\n")] = 0;
        double seconds = 0, most = 0;
        int cut = 0, text = 0;
        forget();
        if (sscanf(line, "listen %lf", &seconds) == 1) until(now_s() + seconds), answer("");
        else if (sscanf(line, "probe %lf", &seconds) == 1) do_probe(seconds);
        else if (sscanf(line, "say %lf %n", &seconds, &text) == 1 && text) do_say(seconds, line + text);
        else if (sscanf(line, "storm %d %lf %lf", &cut, &seconds, &most) == 3 && cut <= many) do_storm(cut, seconds, most);
        else die("what is", line);
    }
}
