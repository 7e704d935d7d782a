/* The bare limit of a fan-out: one thread, epoll, one send(2) a client. `bare PORT EVERY_MS BODY_BYTES`
 *
 * Takes any WebSocket handshake with the one key that `crowd` sends, then tells everybody a text message of BODY_BYTES
 * every EVERY_MS milliseconds, from the first SIGUSR1 to the next one. The message begins {"type":"x","ts":<ns>. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 65536, EVENTS = 256 };
static const char ACCEPT[] =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: bigroad.v1\r\n\r\n";
static char is_open[MOST];
static int sockets[MOST], count;

static void watch(int poll, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

static void take_all(int poll, int listener) {
    int one = 1, fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        if (fd >= MOST) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        is_open[fd] = 0;
        watch(poll, fd);
    }
}

static void hear(int fd) {
    char bytes[4096];
    ssize_t got = recv(fd, bytes, sizeof bytes, 0);
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
        for (int i = 0; i < count; i++)
            if (sockets[i] == fd) {
                sockets[i] = sockets[--count];
                break;
            }
        close(fd);
    } else if (!is_open[fd]) {
        is_open[fd] = 1;
        sockets[count++] = fd;
        send(fd, ACCEPT, sizeof ACCEPT - 1, MSG_NOSIGNAL);
    }
}

static void tell_all(int body) {
    static char frame[4 + 4096];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    memset(frame, 'x', sizeof frame);
    frame[0] = (char)0x81, frame[1] = 126, frame[2] = (char)(body >> 8), frame[3] = (char)(body & 255);
    int head = sprintf(frame + 4, "{\"type\":\"x\",\"ts\":%lld,\"pad\":\"", now.tv_sec * 1000000000LL + now.tv_nsec);
    frame[4 + head] = 'x';
    memcpy(frame + 4 + body - 2, "\"}", 2);
    for (int i = 0; i < count; i++)
        if (send(sockets[i], frame, (size_t)(4 + body), MSG_NOSIGNAL) != 4 + body) fprintf(stderr, "bare: short\n");
}

int main(int many, char **words) {
    if (many != 4 || atoi(words[3]) < 64 || atoi(words[3]) > 4096) return 2;
    long every_ms = atol(words[2]);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1]))};
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (void *)&here, sizeof here) || listen(listener, 4096)) return perror("bare"), 1;
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR1);
    sigprocmask(SIG_BLOCK, &wanted, NULL);
    int poll = epoll_create1(0), signals = signalfd(-1, &wanted, 0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    watch(poll, listener), watch(poll, signals), watch(poll, timer);
    int telling = 0;
    for (;;) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(poll, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            int fd = events[i].data.fd;
            uint64_t times;
            if (fd == listener) {
                take_all(poll, listener);
            } else if (fd == signals) {
                struct signalfd_siginfo info;
                if (read(signals, &info, sizeof info) < 0) continue;
                telling = !telling;
                struct timespec step = {every_ms / 1000, every_ms % 1000 * 1000000}, none = {0, 0};
                struct itimerspec beat = {telling ? step : none, telling ? step : none};
                timerfd_settime(timer, 0, &beat, NULL);
            } else if (fd == timer) {
                if (read(timer, &times, sizeof times) == sizeof times) tell_all(atoi(words[3]));
            } else {
                hear(fd);
            }
        }
    }
}
